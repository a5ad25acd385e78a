import type { SFTPException } from '../../../core/errors.ts';
import type { ListOptions, StoredItem } from '../../../core/storage.ts';
import { boundedMap } from '../../../lib/async/bounded-map.ts';
import { faultOfPath } from '../../../lib/location/storage-path.ts';
import type { StorageFaults } from '../../faults.ts';
import { isStoragePart } from '../../part-name.ts';
import { directoryOf, inDirectory } from '../../remote-path.ts';
import { itemOf } from './item.ts';
import type { DirEntry, SftpSession } from './session.ts';
import { STATUS, statusOf } from './status.ts';
import { wirePath } from './wire-path.ts';

export interface ListWorld {
  readonly session: SftpSession;
  readonly faults: StorageFaults;
  readonly location: string;
}

/** No tree that people make is deeper; a server that invents directories comes to an end here. */
const MAX_DEPTH = 200;

/**
 * The entries of a directory, or of everything below it. Links are shown as what they point to, and those that point nowhere are left out; a
 * linked directory is walked once, and never from inside itself.
 */
export async function* listTree(
  world: ListWorld,
  root: string,
  { deep = false, followLinks = true, onSkipped, signal }: ListOptions,
): AsyncGenerator<StoredItem> {
  const walked = new Set<string>();
  const pending: { readonly path: string; readonly depth: number; readonly isLink: boolean }[] = [{ path: root, depth: 0, isLink: false }];
  for (let each = pending.pop(); each !== undefined; each = pending.pop()) {
    const { path, depth, isLink } = each;
    if (isLink) {
      if (walked.size === 0) walked.add(await world.session.realPath(wirePath(root)));
      if (!(await isNewGround(world, path, walked))) continue;
    }
    if (depth > MAX_DEPTH) throw nonsense(world, path, `directories lie deeper than ${MAX_DEPTH} in each other`);
    const below: typeof pending = [];
    for await (const page of pagesOf(world, path, signal)) {
      for (const { item, isLinked } of await itemsOf(world, path, page)) {
        signal.throwIfAborted();
        if (isLinked && !followLinks) {
          onSkipped?.(item.path);
          continue;
        }
        yield item;
        if (deep && item.kind === 'dir') below.push({ path: item.path, depth: depth + 1, isLink: isLinked });
      }
    }
    pending.push(...below.reverse());
  }
}

/** Whether a linked directory is neither above itself nor walked already. */
const isNewGround = async ({ session }: ListWorld, path: string, walked: Set<string>): Promise<boolean> => {
  const [real, holder] = await Promise.all([session.realPath(wirePath(path)), session.realPath(wirePath(directoryOf(path)))]);
  if (walked.has(real)) return false;
  walked.add(real);
  return real !== holder && !holder.startsWith(real === '/' ? real : `${real}/`);
};

/** The raw entries as the server hands them out, the next page asked for while one is looked at. Nothing where there is no directory. */
async function* pagesOf({ session, faults, location }: ListWorld, path: string, signal: AbortSignal): AsyncGenerator<readonly DirEntry[]> {
  let handle: Buffer;
  try {
    handle = await session.openDir(wirePath(path));
  } catch (fault) {
    if (statusOf(fault) === STATUS.NO_SUCH_FILE) return;
    if (statusOf(fault) === STATUS.FAILURE && (await session.stat(wirePath(path)))?.kind !== 'dir') return;
    throw fault;
  }
  try {
    let next = session.readDir(handle);
    next.catch(() => {}); // looked at in its turn
    for (let page = await next; page !== undefined; page = await next) {
      signal.throwIfAborted();
      next = session.readDir(handle);
      next.catch(() => {});
      for (const { name } of page) {
        if (name === '' || name.includes('/') || name.includes('\0'))
          throw nonsense({ session, faults, location }, path, 'an entry has no name of a file');
      }
      yield page;
    }
  } finally {
    session.close(handle).catch(() => {}); // nobody waits for that
  }
}

const itemsOf = async (
  { session }: ListWorld,
  directory: string,
  page: readonly DirEntry[],
): Promise<{ readonly item: StoredItem; readonly isLinked: boolean }[]> => {
  const shown = page.filter(({ name }) => faultOfPath(name) === undefined && !isStoragePart(name));
  const items = await boundedMap(shown, 16, async ({ name, attrs }) => {
    const path = inDirectory(directory, name);
    const isLinked = attrs.kind === 'link';
    const found = isLinked ? await session.stat(wirePath(path)).catch(() => undefined) : attrs;
    return found === undefined || found.kind === 'other' || found.kind === 'link' ? [] : [{ item: itemOf(path, found), isLinked }];
  });
  return items.flat();
};

const nonsense = ({ faults, location }: ListWorld, path: string, why: string): SFTPException =>
  faults.because('broken', `The list of ${location}/${path} is not to be trusted: ${why}; check the server.`, {
    context: { location: `${location}/${path}` },
  });
