import type { Outgoing, StoredItem, StoreOptions } from '../../../core/storage.ts';
import { within } from '../../../lib/async/within.ts';
import type { StorageFaults } from '../../faults.ts';
import { newStoragePartName } from '../../part-name.ts';
import { directoryOf, inDirectory, nameOf } from '../../remote-path.ts';
import { itemOf } from './item.ts';
import type { SftpPool } from './pool.ts';
import type { Attrs, SftpSession } from './session.ts';
import { STATUS, statusOf, translate } from './status.ts';
import { type Lane, sendChunks } from './transfer.ts';
import { wirePath } from './wire-path.ts';

/** What all ways of writing need. */
export interface WriteWorld {
  readonly pool: SftpPool;
  readonly faults: StorageFaults;
  readonly location: string;
  /** Temporary files that could not be removed when their write broke. */
  readonly left: Set<string>;
}

/** Writing is given up for good after so long, whatever the server does. */
const DISCARD_MS = 2000;

/** Writes beside the target, and gives it its name when it is whole. */
export const writeFile = async (world: WriteWorld, path: string, content: Outgoing, options: StoreOptions): Promise<StoredItem> => {
  const { signal } = options;
  return world.pool.use(signal, async (session) => {
    const part = await createPart(world, session, path);
    const lanes: Lane[] = [part.lane];
    try {
      const another = async (): Promise<Lane | undefined> => {
        const lane = await anotherLane(world, session, part.path);
        if (lane !== undefined) lanes.push(lane);
        return lane;
      };
      const bytes = await sendChunks(content.chunks({ start: 0 }, { signal }), part.lane, { start: 0, signal, another });
      for (const lane of lanes.splice(1)) await lane.session.close(lane.handle);
      const attrs = await finish(part.lane, options.modifiedMs);
      lanes.length = 0;
      if (attrs.bytes !== bytes) throw lostBytes(world, path, attrs.bytes, bytes);
      options.confirm?.({ bytes: attrs.bytes });
      signal.throwIfAborted();
      await settle(world, session, { part: part.path, path, exclusive: options.exclusive === true });
      return itemOf(path, attrs);
    } catch (fault) {
      const meant = await explain(world, session, fault, path);
      await discardPart(world, session, part.path, lanes);
      throw meant;
    }
  });
};

/** A new file beside the target, with the directories that are missing. */
export const createPart = async (
  world: WriteWorld,
  session: SftpSession,
  path: string,
): Promise<{ readonly path: string; readonly lane: Lane }> => {
  const directory = directoryOf(path);
  const part = inDirectory(directory, newStoragePartName(nameOf(path)));
  const open = async (): Promise<Buffer> => session.open(wirePath(part), 'wx');
  try {
    const handle = await open().catch(async (fault: unknown) => {
      if (statusOf(fault) !== STATUS.NO_SUCH_FILE || directory === '') throw fault;
      await makeDirs(world, session, directory);
      return open();
    });
    return { path: part, lane: { session, handle } };
  } catch (fault) {
    if (!session.isOpen) world.left.add(part); // it may have been made all the same
    throw translate(world.faults, fault, 'Writing', `${world.location}/${path}`);
  }
};

/** The same file on another connection; undefined where there is none. */
const anotherLane = async ({ pool }: WriteWorld, beside: SftpSession, part: string): Promise<Lane | undefined> => {
  const session = await pool.second(beside);
  const handle = await session?.open(wirePath(part), 'r+').catch(() => undefined);
  return session === undefined || handle === undefined ? undefined : { session, handle };
};

/** Sets the time, has the server bring it to its disk and closes it; tells what the server holds. */
export const finish = async ({ session, handle }: Lane, modifiedMs: number | undefined): Promise<Attrs> => {
  // Sent together: the server answers them in order.
  const [, , attrs] = await Promise.all([
    modifiedMs === undefined ? undefined : session.setTime(handle, modifiedMs).catch(unlessRefused),
    session.sync(handle).catch(unlessRefused),
    session.fstat(handle),
    session.close(handle),
  ]);
  return attrs;
};

/** Servers that keep no times, or cannot sync, still hold the file; what it has then is told as it is. */
const unlessRefused = (fault: unknown): void => {
  if (statusOf(fault) === undefined) throw fault;
};

interface Settling {
  readonly part: string;
  readonly path: string;
  readonly exclusive: boolean;
}

/** Gives a whole file its name. */
export const settle = async ({ faults }: WriteWorld, session: SftpSession, { part, path, exclusive }: Settling): Promise<void> => {
  const [from, to] = [wirePath(part), wirePath(path)];
  try {
    if (exclusive) {
      if (!(await session.link(from, to)))
        throw faults.unsupported('This server cannot refuse to replace a file; write without that.', path);
      await session.remove(from);
    } else if (!(await session.replace(from, to))) await renameOver(session, from, to);
  } catch (fault) {
    if (statusOf(fault) === undefined) throw fault;
    const there = await session.stat(to);
    if (there?.kind === 'dir') throw faults.isDirectory(path);
    if (exclusive && there !== undefined) throw faults.exists(path);
    throw fault;
  }
};

/** For servers that replace nothing by a rename: between the two steps there is no file of that name. */
const renameOver = async (session: SftpSession, from: string, to: string): Promise<void> => {
  try {
    await session.rename(from, to);
  } catch (fault) {
    if (statusOf(fault) === undefined || (await session.stat(to))?.kind !== 'file') throw fault;
    await session.remove(to);
    await session.rename(from, to);
  }
};

/** Makes a directory and those above it that are missing. */
export const makeDirs = async (world: WriteWorld, session: SftpSession, path: string): Promise<void> => {
  try {
    await session.makeDir(wirePath(path));
  } catch (fault) {
    const status = statusOf(fault);
    if (status === undefined) throw fault;
    const above = directoryOf(path);
    if (status === STATUS.NO_SUCH_FILE && above !== '' && above !== path) {
      await makeDirs(world, session, above);
      return session.makeDir(wirePath(path)).catch((again: unknown) => demandDir(world, session, path, again));
    }
    await demandDir(world, session, path, fault);
  }
};

/** Somebody else may have made it meanwhile; a file in its place is none. */
const demandDir = async ({ faults }: WriteWorld, session: SftpSession, path: string, fault: unknown): Promise<void> => {
  if (statusOf(fault) === undefined) throw fault;
  const there = await session.stat(wirePath(path));
  if (there?.kind === 'dir') return;
  throw there === undefined ? fault : faults.exists(path);
};

/** Takes away what a broken write has made; what cannot be reached is remembered for `sweep`. */
export const discardPart = async ({ left }: WriteWorld, session: SftpSession, part: string, lanes: readonly Lane[]): Promise<void> => {
  left.add(part);
  if (!session.isOpen) return;
  for (const lane of lanes) lane.session.close(lane.handle).catch(() => {}); // the removal comes behind it
  const removed = session.remove(wirePath(part)).then(
    () => void left.delete(part),
    (fault: unknown) => void (statusOf(fault) === STATUS.NO_SUCH_FILE && left.delete(part)),
  );
  await within(DISCARD_MS, removed);
};

/** A refusal without a reason may mean a full disk. */
export const explain = async ({ faults, location }: WriteWorld, session: SftpSession, fault: unknown, path: string): Promise<unknown> => {
  if (statusOf(fault) === STATUS.FAILURE && session.isOpen) {
    const free = await session.freeBytes(wirePath(directoryOf(path))).catch(() => undefined);
    if (free !== undefined && free < session.requestBytes) {
      return faults.because('out_of_space', `There is no room left for ${location}/${path} (${free} bytes are free); make room there.`, {
        context: { location: `${location}/${path}`, server_code: 'SSH_FX_FAILURE' },
      });
    }
  }
  return translate(faults, fault, 'Writing', `${location}/${path}`);
};

export const lostBytes = ({ faults, location }: WriteWorld, path: string, arrived: number, sent: number): Error =>
  faults.because('broken', `${location}/${path} did not arrive whole: ${arrived} bytes of ${sent} are there; try again.`, {
    retryable: true,
    context: { location: `${location}/${path}` },
  });
