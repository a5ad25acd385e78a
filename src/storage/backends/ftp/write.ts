import type { Json } from '../../../core/errors.ts';
import type { HeldPart, Outgoing, PartedWrite, PartRules, ResumeOptions, StoredItem, StoreOptions } from '../../../core/storage.ts';
import { isPartFor, newStoragePartName } from '../../part-name.ts';
import { directoryOf, inDirectory, nameOf } from '../../remote-path.ts';
import { writeTime } from './listing.ts';
import type { FtpSession } from './login.ts';
import { type LookWorld, refusal, statPath, wirePath } from './look.ts';
import type { FtpPool } from './pool.ts';
import type { Reply } from './reply.ts';
import { sendData } from './transfer.ts';

export interface WriteWorld extends LookWorld {
  readonly pool: FtpPool;
  /** Temporary files that could not be removed when their write broke. */
  readonly left: Set<string>;
}

/** Writes beside the target, and gives it its name when it is whole. */
export const writeFile = async (world: WriteWorld, path: string, content: Outgoing, options: StoreOptions): Promise<StoredItem> => {
  const { faults, pool } = world;
  if (options.exclusive === true) throw faults.unsupported('FTP cannot refuse to replace a file; write without that.', path);
  const part = inDirectory(directoryOf(path), newStoragePartName(nameOf(path)));
  const session = await pool.take(options.signal);
  try {
    const sent = await upload(world, session, content.chunks({ start: 0 }, options), { part, path, signal: options.signal });
    return await finish(world, session, { part, path, bytes: sent }, options);
  } catch (fault) {
    await discard(world, session, part);
    throw fault;
  } finally {
    pool.giveBack(session);
  }
};

interface Upload {
  readonly part: string;
  readonly path: string;
  readonly signal: AbortSignal;
  /** Where in the file it goes on. */
  readonly start?: number;
}

const upload = async (
  world: WriteWorld,
  session: FtpSession,
  chunks: AsyncIterable<Uint8Array>,
  { part, path, signal, start = 0 }: Upload,
): Promise<number> => {
  const store = () => session.transfer(`STOR ${wirePath(part)}`, start);
  let line = await store();
  const directory = directoryOf(path);
  if ('code' in line && line.code >= 550 && start === 0 && directory !== '') {
    await makeDirs(world, session, directory);
    line = await store();
  }
  if ('code' in line) throw refusal(world, line, 'Writing', path);
  return sendData(line, chunks, { ...world, what: 'Writing', location: `${world.location}/${path}`, signal });
};

interface Finishing {
  readonly part: string;
  readonly path: string;
  readonly bytes: number;
}

/** Compares the length, sets the time and gives the file its name. */
const finish = async (
  world: WriteWorld,
  session: FtpSession,
  { part, path, bytes }: Finishing,
  { signal, confirm, modifiedMs }: Pick<StoreOptions, 'signal' | 'confirm' | 'modifiedMs'>,
): Promise<StoredItem> => {
  const arrived = (await statPath(world, session, part))?.bytes;
  if (arrived !== bytes) {
    throw world.faults.because(
      'broken',
      `${world.location}/${path} did not arrive whole: ${arrived ?? 'no'} bytes of ${bytes} are there; try again.`,
      {
        retryable: true,
        context: { location: `${world.location}/${path}` },
      },
    );
  }
  confirm?.({ bytes });
  signal.throwIfAborted();
  if (modifiedMs !== undefined) {
    // Servers without MFMT often take the time with MDTM; those that take it by neither keep their own.
    await session.ask(`${session.features.has('MFMT') ? 'MFMT' : 'MDTM'} ${writeTime(modifiedMs)} ${wirePath(part)}`);
  }
  await rename(world, session, part, path);
  return (await statPath(world, session, path)) ?? { path, kind: 'file', bytes };
};

/** Renames and replaces. Where the server replaces nothing the old file is removed first: for a moment there is none of that name. */
export const rename = async (world: WriteWorld, session: FtpSession, from: string, to: string): Promise<void> => {
  const once = async (): Promise<Reply> => {
    const ready = await session.ask(`RNFR ${wirePath(from)}`);
    return ready.code === 350 ? session.ask(`RNTO ${wirePath(to)}`) : ready;
  };
  let reply = await once();
  if (reply.code >= 500) {
    const there = await statPath(world, session, to);
    if (there?.kind === 'dir') throw world.faults.isDirectory(to);
    if (there !== undefined && (await session.ask(`DELE ${wirePath(to)}`)).code === 250) reply = await once();
  }
  if (reply.code !== 250 && reply.code !== 200) throw refusal(world, reply, 'Renaming to', to);
};

/** Makes a directory and those above it that are missing. */
export const makeDirs = async (world: WriteWorld, session: FtpSession, path: string): Promise<void> => {
  const reply = await session.ask(`MKD ${wirePath(path)}`);
  if (reply.code === 257 || reply.code === 250) return;
  const there = await statPath(world, session, path);
  if (there?.kind === 'dir') return;
  if (there !== undefined) throw world.faults.exists(path);
  const above = directoryOf(path);
  if (above === '' || above === path || (await statPath(world, session, above))?.kind === 'dir')
    throw refusal(world, reply, 'Making', path);
  await makeDirs(world, session, above);
  const again = await session.ask(`MKD ${wirePath(path)}`);
  if (again.code !== 257 && again.code !== 250 && (await statPath(world, session, path))?.kind !== 'dir')
    throw refusal(world, again, 'Making', path);
};

/** Takes away what a broken write has made; what cannot be reached is remembered for `sweep`. */
const discard = async ({ left }: WriteWorld, session: FtpSession, part: string): Promise<void> => {
  left.add(part);
  if (!session.isOpen) return;
  const reply = await session.ask(`DELE ${wirePath(part)}`).catch(() => undefined);
  if (reply !== undefined && (reply.code === 250 || reply.code === 550)) left.delete(part);
};

const PART_BYTES = 4 * 1024 * 1024;

/** A file grows at its end only, so parts come in order; all but the last are equally long. */
export const PARTS: PartRules = {
  minBytes: PART_BYTES,
  maxBytes: PART_BYTES,
  maxCount: 1_000_000,
  multipleOf: PART_BYTES,
  isInOrder: true,
};

interface Ticket {
  readonly name: string;
  readonly bytes: number;
  readonly modifiedMs?: number;
}

export const startParts = async (
  world: WriteWorld,
  path: string,
  { bytes, modifiedMs, exclusive, confirm }: StoreOptions & { readonly bytes: number },
): Promise<PartedWrite> => {
  if (exclusive === true) throw world.faults.unsupported('FTP cannot refuse to replace a file; write without that.', path);
  const ticket: Ticket = { name: newStoragePartName(nameOf(path)), bytes, ...(modifiedMs !== undefined && { modifiedMs }) };
  return partedWrite(world, path, ticket, { held: [], confirm });
};

/** Goes on with it. What was written down as held is held, as far as the file is long enough. */
export const resumeParts = async (
  world: WriteWorld,
  path: string,
  written: Json,
  { signal, known = [] }: ResumeOptions,
): Promise<PartedWrite | undefined> => {
  const ticket = ticketOf(written, nameOf(path));
  if (ticket === undefined) return undefined;
  const there = await world.pool.use(signal, (session) => statPath(world, session, inDirectory(directoryOf(path), ticket.name)));
  if (there?.kind !== 'file') return undefined;
  const held = known.filter(({ number, bytes }) => isPlaced(number, bytes, ticket) && offsetOf(number) + bytes <= there.bytes);
  return partedWrite(world, path, ticket, { held });
};

const partedWrite = (
  world: WriteWorld,
  path: string,
  ticket: Ticket,
  { held, confirm }: { readonly held: readonly HeldPart[]; readonly confirm?: StoreOptions['confirm'] },
): PartedWrite => {
  const { pool, faults, location } = world;
  const part = inDirectory(directoryOf(path), ticket.name);
  let isNamed = false;
  const gone = () =>
    faults.because('changed', `The parts of ${location}/${path} are gone; start again.`, { context: { location: `${location}/${path}` } });
  return {
    ticket: { ...ticket },
    held,
    put: (number, content, { signal }) =>
      pool.use(signal, async (session) => {
        const start = offsetOf(number);
        if (!isPlaced(number, content.bytes, ticket))
          throw faults.because(
            'unsupported',
            `Part ${number} of ${location}/${path} cannot have ${content.bytes} bytes; parts have ${PART_BYTES}.`,
          );
        if (start > 0 && ((await statPath(world, session, part))?.bytes ?? -1) < start) throw gone();
        const sent = await upload(world, session, content.chunks({ start: 0 }, { signal }), { part, path, signal, start });
        if (sent !== content.bytes)
          throw faults.because('broken', `Part ${number} of ${location}/${path} has ${sent} bytes, not ${content.bytes}.`);
        return { number, bytes: sent, receipt: String(number) };
      }),
    commit: (parts, { signal }) =>
      pool.use(signal, async (session) => {
        const isWhole = parts.every(({ number, bytes }, at) => number === at + 1 && isPlaced(number, bytes, ticket));
        const sum = parts.reduce((total, { bytes }) => total + bytes, 0);
        if (!isWhole || sum !== ticket.bytes)
          throw faults.because('broken', `Parts of ${location}/${path} are missing: ${sum} bytes of ${ticket.bytes}.`);
        if ((await statPath(world, session, part)) === undefined) {
          // The answer to an earlier try may have been lost on its way.
          const there = isNamed ? await statPath(world, session, path) : undefined;
          if (there?.kind === 'file' && there.bytes === ticket.bytes) return there;
          throw gone();
        }
        isNamed = true;
        return finish(world, session, { part, path, bytes: ticket.bytes }, { signal, confirm, modifiedMs: ticket.modifiedMs });
      }),
    discard: ({ signal }) => pool.use(signal, (session) => discard(world, session, part)),
  };
};

const offsetOf = (number: number): number => (number - 1) * PART_BYTES;

/** Whether a part of this length can have this number. */
const isPlaced = (number: number, bytes: number, { bytes: total }: Ticket): boolean =>
  Number.isSafeInteger(number) &&
  number >= 1 &&
  (bytes === PART_BYTES ? offsetOf(number) + bytes <= total : offsetOf(number) + bytes === total);

/** A ticket comes from outside: it must name a temporary file of this very target. */
const ticketOf = (written: Json, target: string): Ticket | undefined => {
  if (typeof written !== 'object' || written === null || !('name' in written) || !('bytes' in written)) return undefined;
  const { name, bytes, modifiedMs } = written;
  if (typeof name !== 'string' || !isPartFor(name, target) || typeof bytes !== 'number') return undefined;
  return { name, bytes, ...(typeof modifiedMs === 'number' && { modifiedMs }) };
};
