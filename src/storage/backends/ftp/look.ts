import type { ListOptions, StoredItem } from '../../../core/storage.ts';
import { faultOfPath } from '../../../lib/location/storage-path.ts';
import type { StorageFaults } from '../../faults.ts';
import { isStoragePart } from '../../part-name.ts';
import { inDirectory } from '../../remote-path.ts';
import { faultOfReply } from './faults.ts';
import { type ListedEntry, listingCodeOf, readFacts, readListLine, readTime } from './listing.ts';
import type { FtpSession } from './login.ts';
import { type Reply, saidIn } from './reply.ts';
import { receiveText } from './transfer.ts';

export interface LookWorld {
  readonly faults: StorageFaults;
  readonly location: string;
  readonly host: string;
  readonly timeoutMs: number;
}

/** Longer than the list of a million files. */
const MAX_LISTING = 64 * 1024 * 1024;
/** No tree that people make is deeper; links that lead in circles end here. */
const MAX_DEPTH = 200;

/** A path as it goes over the wire. Servers take a dash for an option and a tilde for somebody's home. */
export const wirePath = (path: string): string => (/^[-~ ]/.test(path) ? `./${path}` : path);

/** What stands at a path; undefined where nothing does. */
export const statPath = async (world: LookWorld, session: FtpSession, path: string): Promise<StoredItem | undefined> => {
  if (path === '' || path === '/') return { path, kind: 'dir', bytes: 0 };
  if (session.features.has('MLST')) {
    const reply = await session.ask(`MLST ${wirePath(path)}`);
    if (reply.code === 250) {
      const line = reply.lines[1]?.replace(/^ /, '') ?? '';
      const found = readLine(world, path, line, readFacts);
      if (found?.kind === 'file' || found?.kind === 'dir') return itemOf(path, found);
      if (/(?:^|;)type=[cp]dir;/i.test(line)) return { path, kind: 'dir', bytes: 0 };
    } else if (isMissing(reply)) return undefined;
    else if (reply.code < 500 || reply.code > 504) throw refusal(world, reply, 'Looking at', path);
  }
  return statBySize(world, session, path);
};

/** Servers without MLST tell the length of files only; what has none but can be entered is a directory. */
const statBySize = async (world: LookWorld, session: FtpSession, path: string): Promise<StoredItem | undefined> => {
  const size = await session.ask(`SIZE ${wirePath(path)}`);
  if (size.code === 213) {
    const bytes = Number(/^\d{1,16}$/.exec(saidIn(size))?.[0] ?? Number.NaN);
    if (!Number.isSafeInteger(bytes)) throw refusal(world, size, 'Looking at', path);
    const time = await session.ask(`MDTM ${wirePath(path)}`);
    const modifiedMs = time.code === 213 ? readTime(saidIn(time)) : undefined;
    return itemOf(path, { name: '', kind: 'file', bytes, ...(modifiedMs !== undefined && { modifiedMs }) });
  }
  if (size.code === 421) throw refusal(world, size, 'Looking at', path);
  return (await enter(session, path)) ? { path, kind: 'dir', bytes: 0 } : undefined;
};

/** Whether a directory can be entered; the session is back where it was afterwards, or closed. */
const enter = async (session: FtpSession, path: string, work: () => Promise<void> = async () => {}): Promise<boolean> => {
  if ((await session.ask(`CWD ${wirePath(path)}`)).code !== 250) return false;
  await work();
  const isBack = session.home !== undefined && (await session.ask(`CWD ${session.home}`)).code === 250;
  if (!isBack) session.destroy(); // relative paths would mean something else from now on
  return true;
};

/** The entries of one directory as the server tells them, temporary files among them; nothing where there is no directory. */
export const readDirectory = async (world: LookWorld, session: FtpSession, path: string, signal: AbortSignal): Promise<ListedEntry[]> => {
  if (session.features.has('MLSD') || session.features.has('MLST')) {
    const text = await listed(world, session, path === '' ? 'MLSD' : `MLSD ${wirePath(path)}`, { path, signal });
    if (typeof text === 'string') return entriesOf(world, path, text, readFacts);
    if (text.code === 550 || text.code === 501) {
      if ((await statPath(world, session, path))?.kind !== 'dir') return [];
      throw refusal(world, text, 'Listing', path);
    }
    if (text.code < 500 || text.code > 504) throw refusal(world, text, 'Listing', path);
  }
  let entries: ListedEntry[] = [];
  const list = async (): Promise<void> => {
    let text = await listed(world, session, 'LIST -a', { path, signal });
    if (typeof text !== 'string' && text.code >= 500 && text.code < 510) text = await listed(world, session, 'LIST', { path, signal });
    if (typeof text !== 'string') throw refusal(world, text, 'Listing', path);
    entries = entriesOf(world, path, text, readListLine);
  };
  if (path === '') await list();
  else await enter(session, path, list);
  return entries;
};

const listed = async (
  world: LookWorld,
  session: FtpSession,
  command: string,
  { path, signal }: { readonly path: string; readonly signal: AbortSignal },
): Promise<string | Reply> => {
  const line = await session.transfer(command);
  if ('code' in line) return line;
  return receiveText(line, MAX_LISTING, { ...world, what: 'Listing', location: `${world.location}/${path}`, signal });
};

const entriesOf = (world: LookWorld, path: string, text: string, read: (line: string) => ListedEntry | undefined): ListedEntry[] =>
  text
    .split(/\r?\n/)
    .filter((line) => line !== '')
    .flatMap((line) => {
      const entry = readLine(world, path, line, read);
      if (entry === undefined || entry.name === '.' || entry.name === '..') return [];
      if (entry.name === '' || entry.name.includes('/') || entry.name.includes('\0'))
        throw untrusted(world, path, 'an entry has no name of a file');
      return faultOfPath(entry.name) === undefined ? [entry] : [];
    });

const readLine = (
  world: LookWorld,
  path: string,
  line: string,
  read: (line: string) => ListedEntry | undefined,
): ListedEntry | undefined => {
  try {
    return read(line);
  } catch (fault) {
    const code = listingCodeOf(fault);
    if (code === undefined || !(fault instanceof Error)) throw fault;
    throw world.faults.because(code, `The list of ${world.location}/${path} cannot be used: ${fault.message}.`, {
      context: { location: `${world.location}/${path}` },
    });
  }
};

/** The entries of a directory, or of everything below it. Linked directories are shown and not walked; others not from inside themselves. */
export async function* listTree(
  world: LookWorld,
  session: FtpSession,
  root: string,
  { deep = false, signal }: ListOptions,
): AsyncGenerator<StoredItem> {
  const pending: { readonly path: string; readonly above: readonly string[] }[] = [{ path: root, above: [] }];
  for (let each = pending.pop(); each !== undefined; each = pending.pop()) {
    const { path, above } = each;
    if (above.length > MAX_DEPTH) throw untrusted(world, path, `directories lie deeper than ${MAX_DEPTH} in each other`);
    const below: typeof pending = [];
    for (const entry of await readDirectory(world, session, path, signal)) {
      signal.throwIfAborted();
      if (isStoragePart(entry.name)) continue;
      const at = inDirectory(path, entry.name);
      const item = entry.kind === 'link' ? await statBySize(world, session, at) : itemOf(at, entry);
      if (item === undefined) continue;
      yield item;
      const isCircle = entry.unique !== undefined && above.includes(entry.unique);
      if (deep && entry.kind === 'dir' && !isCircle) below.push({ path: at, above: [...above, entry.unique ?? ''] });
    }
    pending.push(...below.reverse());
  }
}

export const versionOf = ({ bytes, modifiedMs }: Pick<StoredItem, 'bytes' | 'modifiedMs'>): string | undefined =>
  modifiedMs === undefined ? undefined : `${bytes}-${modifiedMs}`;

const itemOf = (path: string, entry: ListedEntry): StoredItem => {
  const time = entry.modifiedMs === undefined ? {} : { modifiedMs: entry.modifiedMs };
  if (entry.kind === 'dir') return { path, kind: 'dir', bytes: 0, ...time };
  const version = versionOf({ bytes: entry.bytes, ...time });
  return { path, kind: 'file', bytes: entry.bytes, ...time, ...(version !== undefined && { version }) };
};

const isMissing = (reply: Reply): boolean => reply.code === 550 && !/permission|denied|access/i.test(saidIn(reply));

const untrusted = ({ faults, location }: LookWorld, path: string, why: string): Error =>
  faults.because('broken', `The list of ${location}/${path} is not to be trusted: ${why}; check the server.`, {
    context: { location: `${location}/${path}` },
  });

export const refusal = ({ faults, location }: LookWorld, reply: Reply, what: string, path: string): Error =>
  faultOfReply(faults, reply, what, `${location}/${path}`);
