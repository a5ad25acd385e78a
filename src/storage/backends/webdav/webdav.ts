import type { Interruptible } from '../../../core/files.ts';
import type { Storage, StorageAbilities, StoredItem } from '../../../core/storage.ts';
import { isBelow, parentOf } from '../../../lib/location/storage-path.ts';
import { isSameContent, parseContentRange } from '../../../lib/net/http-resource.ts';
import type { BackendWorld } from '../../backend.ts';
import { createDirectories } from './directories.ts';
import type { DavResource } from './multistatus.ts';
import type { WebdavSettings } from './settings.ts';
import { openWire, type Wire } from './wire.ts';
import { carry, isTemporary, temporaryPattern, type WriteWorld, write } from './write.ts';

/*
 * WebDAV and nothing more. A file is sent under a temporary name and moved to its own, so that nobody sees it before it is whole; servers
 * that cannot move get it under its name at once. Directories are asked for one by one: many servers refuse `Depth: infinity`. A DELETE,
 * COPY or MOVE of a directory would take everything in it along, so that what is there is looked at first.
 */

/** Opens a connection; asks the server what it can. */
export const openWebdav = async (settings: WebdavSettings, world: BackendWorld): Promise<Storage> => {
  const wire = openWire(settings, world);
  const { faults } = wire;
  const signal = AbortSignal.timeout((settings.timeout ?? 30) * 1000 + 1000);
  const { canMove, hidesDots } = await habitsOf(wire, signal).catch(async (fault: unknown) => {
    await wire[Symbol.asyncDispose]();
    throw fault;
  });
  // Nextcloud and ownCloud take the time of a file in a header of their own; other servers set their own.
  const takesTimes = /\/remote\.php\//.test(settings.base_url);
  const can: StorageAbilities = {
    range: true,
    exclusiveWrite: canMove,
    directories: 'real',
    hashes: [],
    ...(takesTimes && { timeStepMs: 1000 }),
  };

  const itemOf = ({ path, kind, bytes, modifiedMs, version }: DavResource & { readonly path: string }): StoredItem => ({
    path,
    kind,
    bytes,
    ...(modifiedMs !== undefined && { modifiedMs }),
    ...(version !== undefined && { version }),
  });

  const stat = async (path: string, options: Interruptible): Promise<StoredItem | undefined> => {
    const [found] = (await wire.find(path, 0, options)) ?? [];
    return found && itemOf({ ...found, path });
  };

  const demandFile = async (path: string, options: Interruptible): Promise<StoredItem> => {
    const item = await stat(path, options);
    if (item === undefined) throw faults.notFound(path);
    if (item.kind === 'dir') throw faults.isDirectory(path);
    return item;
  };

  const directories = createDirectories(wire, stat);
  const writing: WriteWorld = { wire, directories, stat, canMove, takesTimes, hidesDots };

  const entriesOf = async (directory: string, options: Interruptible): Promise<readonly StoredItem[]> =>
    ((await wire.find(directory, 1, { kind: 'dir', ...options })) ?? [])
      .filter(({ path }) => path !== directory && isBelow(path, directory) && parentOf(path) === directory)
      .map(itemOf);

  return {
    location: world.location,
    can,
    stat,
    async *list(directory, { deep = false, signal }) {
      const waiting = [directory];
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        for (const item of await entriesOf(next, { signal })) {
          if (isTemporary(item.path)) continue;
          yield item;
          if (deep && item.kind === 'dir') waiting.push(item.path);
        }
      }
    },
    async read(path, { stretch: { start, end } = { start: 0 }, version, signal }) {
      const isPart = start > 0 || end !== undefined;
      if (end !== undefined && end <= start) return nothing();
      const headers = isPart ? { range: `bytes=${start}-${end === undefined ? '' : end - 1}` } : {};
      const answer = await wire.send('GET', path, { headers, signal });
      const { status } = answer;
      const stop = async (fault: Error): Promise<never> => {
        await answer.body[Symbol.asyncIterator]().return?.();
        throw fault;
      };
      const coding = answer.headers['content-encoding'] ?? 'identity';
      if (coding !== 'identity')
        return stop(faults.because('broken', `The server sends ${world.location}/${path} compressed although nobody asked for that.`));
      const range = parseContentRange(answer.headers['content-range']);
      if (status === 416 && range?.total === start) return nothing();
      if (status !== 200 && !(status === 206 && range?.start === start)) {
        const item = await stat(path, { signal });
        return stop(
          item?.kind === 'dir' ? faults.isDirectory(path) : item === undefined ? faults.notFound(path) : wire.refusal('GET', path, answer),
        );
      }
      if (version !== undefined && isSameContent(version, answer.headers) === false) return stop(faults.changed(path));
      // A directory may be answered with a page about it.
      if (answer.headers.etag === undefined && (await stat(path, { signal }))?.kind === 'dir') return stop(faults.isDirectory(path));
      const body = cut(answer.body, status === 206 ? 0 : start, end === undefined ? Number.POSITIVE_INFINITY : end - start);
      return inOurWords(body, (fault) => wire.translated(fault, path, signal));
    },
    write: (path, content, options) => write(writing, path, content, options),
    async remove(path, { signal }) {
      const item = await stat(path, { signal });
      if (item === undefined) return false;
      if (item.kind === 'dir') throw faults.isDirectory(path);
      const answer = await wire.ask('DELETE', path, { signal });
      if (answer.status === 404) return false;
      if (answer.status >= 300 || answer.status === 207) throw wire.refusal('DELETE', path, answer);
      return true;
    },
    makeDir: (path, { signal }) => directories.make(path, signal),
    async removeDir(path, { signal }) {
      const item = await stat(path, { signal });
      if (item === undefined) return false;
      if (item.kind === 'file') throw faults.unsupported('It is a file; remove it as one.', path);
      if ((await entriesOf(path, { signal })).some((entry) => !isTemporary(entry.path))) throw faults.notEmpty(path);
      directories.forget();
      const answer = await wire.ask('DELETE', path, { kind: 'dir', signal });
      if (answer.status === 404) return false;
      if (answer.status >= 300 || answer.status === 207) throw wire.refusal('DELETE', path, answer);
      return true;
    },
    async copy(from, to, options) {
      await demandFile(from, options);
      return carry(writing, 'COPY', { from, to, ...options });
    },
    ...(canMove && {
      async move(from: string, to: string, options: Interruptible) {
        const item = await demandFile(from, options);
        return from === to ? item : carry(writing, 'MOVE', { from, to, ...options });
      },
    }),
    async sweep(path, { signal }) {
      const pattern = temporaryPattern(path);
      for (const { path: found } of await entriesOf(parentOf(path), { signal })) {
        if (pattern.test(found)) await wire.ask('DELETE', found, { signal });
      }
    },
    [Symbol.asyncDispose]: () => wire[Symbol.asyncDispose](),
  };
};

/** What the server does otherwise than others; one that does not say whether it moves files is believed to. */
const habitsOf = async (wire: Wire, signal: AbortSignal): Promise<Pick<WriteWorld, 'canMove' | 'hidesDots'>> => {
  const { status, headers } = await wire.ask('OPTIONS', '', { signal });
  if (status >= 500) throw wire.refusal('OPTIONS', '', { status, headers });
  const canMove = status >= 300 || headers.allow === undefined || /\bMOVE\b/i.test(headers.allow);
  return { canMove, hidesDots: /^nginx\b/i.test(headers.server ?? '') };
};

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** The wanted bytes, of a server that sends all of them too. */
async function* cut(body: AsyncIterable<Uint8Array>, skipped: number, wanted: number): AsyncGenerator<Uint8Array> {
  let [before, left] = [skipped, wanted];
  for await (const chunk of body) {
    const part = chunk.subarray(Math.min(before, chunk.byteLength)).subarray(0, left);
    before = Math.max(0, before - chunk.byteLength);
    left -= part.byteLength;
    if (part.byteLength > 0) yield part;
    if (left === 0) return;
  }
}

async function* inOurWords(body: AsyncIterable<Uint8Array>, translate: (fault: unknown) => unknown): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (fault) {
    throw translate(fault);
  }
}
