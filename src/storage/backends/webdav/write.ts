import { createHash, randomBytes } from 'node:crypto';
import type { Interruptible } from '../../../core/files.ts';
import type { Outgoing, StoredItem, StoreOptions } from '../../../core/storage.ts';
import { parentOf } from '../../../lib/location/storage-path.ts';
import type { RequestBody } from '../../../lib/net/http-session.ts';
import type { Directories } from './directories.ts';
import type { Wire } from './wire.ts';

export interface WriteWorld {
  readonly wire: Wire;
  readonly directories: Directories;
  readonly canMove: boolean;
  readonly takesTimes: boolean;
  /** It leaves names that begin with a dot out of its listings: ours could never be found again. */
  readonly hidesDots: boolean;
  stat(path: string, options: Interruptible): Promise<StoredItem | undefined>;
}

/** How long what a broken write has left may take to be removed. */
const CLEAN_UP_MS = 5_000;

const keyOf = (path: string): string =>
  createHash('sha256')
    .update(path.slice(path.lastIndexOf('/') + 1))
    .digest('hex')
    .slice(0, 16);

const besides = (path: string, name: string): string => (parentOf(path) === '' ? name : `${parentOf(path)}/${name}`);

const temporaryFor = (path: string, hidesDots: boolean): string =>
  besides(path, `${hidesDots ? '' : '.'}${keyOf(path)}.factotum-${randomBytes(8).toString('hex')}.part`);

/** A file that is on its way, or was. */
export const isTemporary = (path: string): boolean => /(?:^|\/)\.?[0-9a-f]{16}\.factotum-[0-9a-f]{16}\.part$/.test(path);

/** What writes to one target are called meanwhile. */
export const temporaryPattern = (path: string): RegExp => new RegExp(`(?:^|/)\\.?${keyOf(path)}\\.factotum-[0-9a-f]{16}\\.part$`);

/** Puts a file there, whole or not at all where the server can move files. */
export const write = async (world: WriteWorld, path: string, content: Outgoing, options: StoreOptions): Promise<StoredItem> => {
  const { wire, canMove } = world;
  const { signal, exclusive = false, confirm } = options;
  if (path === '') throw wire.faults.isDirectory(path);
  if (!canMove) return writeAtOnce(world, path, content, options);
  const temporary = temporaryFor(path, world.hidesDots);
  try {
    const sent = await put(world, temporary, content, options);
    const arrived = await world.stat(temporary, { signal });
    demandWhole(world, path, arrived, sent);
    confirm?.({ bytes: sent });
    return await carry(world, 'MOVE', { from: temporary, to: path, exclusive, signal });
  } catch (fault) {
    await discard(world, temporary);
    throw fault;
  }
};

/** For servers that cannot move: what was there is gone when the first byte arrives. */
const writeAtOnce = async (world: WriteWorld, path: string, content: Outgoing, options: StoreOptions): Promise<StoredItem> => {
  const { wire } = world;
  const { signal, exclusive = false, confirm } = options;
  if (exclusive) throw wire.faults.unsupported('This server cannot refuse to replace a file; write without that.', path);
  const there = await world.stat(path, { signal });
  if (there?.kind === 'dir') throw wire.faults.isDirectory(path);
  const isNew = there === undefined;
  try {
    const sent = await put(world, path, content, options, isNew ? { 'if-none-match': '*' } : {});
    const item = await world.stat(path, { signal });
    demandWhole(world, path, item, sent);
    confirm?.({ bytes: sent });
    return item;
  } catch (fault) {
    if (isNew) await discard(world, path);
    throw fault;
  }
};

function demandWhole({ wire }: WriteWorld, path: string, item: StoredItem | undefined, sent: number): asserts item is StoredItem {
  if (item?.bytes === sent) return;
  throw wire.faults.because('broken', `Of ${sent} bytes for ${path} the server holds ${item?.bytes ?? 0}; try again.`, { retryable: true });
}

/** Sends the content; tells how long it was. */
const put = async (
  { wire, directories, takesTimes }: WriteWorld,
  path: string,
  content: Outgoing,
  { signal, modifiedMs }: StoreOptions,
  more: Readonly<Record<string, string>> = {},
): Promise<number> => {
  const headers = {
    'content-type': 'application/octet-stream',
    ...(takesTimes && modifiedMs !== undefined && { 'x-oc-mtime': String(Math.floor(modifiedMs / 1000)) }),
    ...more,
  };
  const source = { bytes: 0, fault: undefined as { readonly fault: unknown } | undefined };
  const body = (): RequestBody => {
    source.bytes = 0;
    return { bytes: content.bytes, chunks: watched(content.chunks({ start: 0 }, { signal }), source) };
  };
  const once = async () => {
    try {
      return await wire.ask('PUT', path, { headers, body, signal });
    } catch (fault) {
      throw source.fault === undefined ? fault : source.fault.fault;
    }
  };
  await directories.make(parentOf(path), signal);
  let answer = await once();
  if (answer.status === 409 || answer.status === 404) {
    // The directory that was there is gone.
    directories.forget();
    await directories.make(parentOf(path), signal);
    answer = await once();
  }
  if (answer.status >= 300) throw wire.refusal('PUT', path, answer);
  return source.bytes;
};

/** Counts what is sent, and remembers why it ended early. */
async function* watched(
  chunks: AsyncIterable<Uint8Array>,
  source: { bytes: number; fault: { readonly fault: unknown } | undefined },
): AsyncGenerator<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await iterator.next().catch((fault: unknown) => {
        source.fault = { fault };
        throw fault;
      });
      if (next.done === true) return;
      source.bytes += next.value.byteLength;
      yield next.value;
    }
  } finally {
    await iterator.return?.();
  }
}

const discard = async ({ wire }: WriteWorld, path: string): Promise<void> => {
  try {
    await wire.ask('DELETE', path, { signal: AbortSignal.timeout(CLEAN_UP_MS) });
  } catch {
    // The next write to the same target sweeps it away.
  }
};

interface Carry extends Interruptible {
  readonly from: string;
  readonly to: string;
  readonly exclusive?: boolean;
}

/** Moves or copies a file by the server itself. A directory in the way would be replaced with all that is in it, so that it is looked at first. */
export const carry = async (
  { wire, directories, stat }: WriteWorld,
  method: 'MOVE' | 'COPY',
  { from, to, exclusive = false, signal }: Carry,
): Promise<StoredItem> => {
  const ask = (overwrite: 'T' | 'F') =>
    wire.ask(method, from, { headers: { destination: wire.urlOf(to), overwrite, ...(method === 'COPY' && { depth: '0' }) }, signal });
  if (to === '') throw wire.faults.isDirectory(to);
  await directories.make(parentOf(to), signal);
  let answer = await ask('F');
  if (answer.status >= 300) {
    const there = await stat(to, { signal });
    if (there?.kind === 'dir') throw wire.faults.isDirectory(to);
    if (there !== undefined && exclusive) throw wire.faults.exists(to);
    if (there === undefined) {
      // The directory may be gone that was there; servers say so in several ways.
      directories.forget();
      await directories.make(parentOf(to), signal);
    }
    answer = await ask(there === undefined ? 'F' : 'T');
  }
  if (answer.status >= 300 || answer.status === 207) throw wire.refusal(method, from, answer);
  const item = await stat(to, { signal });
  if (item === undefined) throw wire.faults.because('changed', `${to} is gone right after it was written; somebody else removes it.`);
  return item;
};
