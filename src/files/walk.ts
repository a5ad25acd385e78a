import { join, sep } from 'node:path';
import { DirNotExistsException, FileAccessException, PathTraversalException } from '../core/errors.ts';
import type { FilePort, Listed, Walked, WalkOptions } from '../core/files.ts';
import { demandGoing } from './refusals.ts';

/** What a walk needs of a port. `listInner` lists what a walk has found; it must not follow a link that took its place. */
export interface WalkPort extends Pick<FilePort, 'absolute' | 'list'> {
  listInner: FilePort['list'];
}

/** Everything below a directory, parents first, names sorted, links never entered. */
export async function* walkTree(port: WalkPort, path: string, { signal, bypass }: WalkOptions): AsyncGenerator<Walked> {
  const root = port.absolute(path);
  const open: string[] = [''];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    demandGoing(signal, root);
    const inner: string[] = [];
    for (const { name, kind } of await (at === '' ? port.list(root, { bypass }) : listIfThere(port, join(root, at), bypass))) {
      const relative = at === '' ? name : `${at}${sep}${name}`;
      yield { name, kind, relative, path: join(root, relative) };
      if (kind === 'dir') inner.push(relative);
    }
    for (const next of inner.reverse()) open.push(next);
  }
}

/** A directory that vanished, or was swapped for a link, since it was found has nothing in it any more. */
const listIfThere = async (port: WalkPort, path: string, bypass: WalkOptions['bypass']): Promise<readonly Listed[]> => {
  try {
    return await port.listInner(path, { bypass });
  } catch (fault) {
    if (fault instanceof DirNotExistsException || fault instanceof PathTraversalException) return [];
    if (bypass === undefined || !(fault instanceof FileAccessException)) throw fault;
    bypass.unreadable(path, fault);
    return [];
  }
};
