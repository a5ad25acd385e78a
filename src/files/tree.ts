import { join, sep } from 'node:path';
import { FileAccessException } from '../core/errors.ts';
import type { CopyOptions, FilePort, Interruptible, Walked } from '../core/files.ts';

type Walker = Pick<FilePort, 'list' | 'absolute'>;

/** Everything below a directory, parents first, names sorted, links never entered. */
export async function* walkTree(port: Walker, path: string, { signal }: Interruptible): AsyncGenerator<Walked> {
  const root = port.absolute(path);
  const open: string[] = [''];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    signal.throwIfAborted();
    const listed = [...(await port.list(join(root, at)))].sort((a, b) => (a.name < b.name ? -1 : 1));
    const inner: string[] = [];
    for (const { name, kind } of listed) {
      const relative = at === '' ? name : `${at}${sep}${name}`;
      yield { name, kind, relative, path: join(root, relative) };
      if (kind === 'dir') inner.push(relative);
    }
    open.push(...inner.reverse());
  }
}

type TreePort = Pick<FilePort, 'absolute' | 'list' | 'stat' | 'readLink' | 'copy' | 'makeDir' | 'makeLink' | 'remove' | 'setTimes' | 'setMode'>;

/** Copies what is below `from` into `to`, which exists; links as links, other kinds (sockets, devices) are left out. */
export const copyInto = async (port: TreePort, from: string, to: string, options: CopyOptions): Promise<void> => {
  const dirs: { readonly source: string; readonly target: string }[] = [{ source: from, target: to }];
  for await (const { relative, path, kind } of walkTree(port, from, options)) {
    const target = join(to, relative);
    if (kind === 'dir') {
      await port.makeDir(target);
      dirs.push({ source: path, target });
    } else if (kind === 'file') {
      await port.copy(path, target, { durable: false, ...options });
    } else if (kind === 'link') {
      const there = await port.stat(target, { followLinks: false });
      if (there !== undefined && there.kind !== 'dir') await port.remove(target);
      await port.makeLink(target, await port.readLink(path));
    }
  }
  // Last, because filling a directory changes its time.
  if (options.keepMetadata) for (const { source, target } of dirs.reverse()) await keepDirMetadata(port, source, target);
};

const keepDirMetadata = async (port: TreePort, source: string, target: string) => {
  const entry = await port.stat(source);
  if (entry === undefined) return;
  await port.setMode(target, entry.mode);
  await port.setTimes(target, entry);
};

/** Removes everything below a directory, deepest first; `removeDir` takes the emptied ones. */
export const emptyTree = async (port: TreePort, path: string, options: Interruptible, removeDir: (path: string) => Promise<void>): Promise<void> => {
  const dirs: string[] = [];
  for await (const entry of walkTree(port, path, options)) {
    if (entry.kind === 'dir') dirs.push(entry.path);
    else await port.remove(entry.path);
  }
  for (const dir of dirs.reverse()) await removeDir(dir);
};

/** Refuses to copy or move a directory into itself. */
export const demandApart = (from: string, to: string): void => {
  if (to === from || to.startsWith(from + sep)) {
    throw new FileAccessException(`${to} lies inside ${from}; choose a target outside the directory.`, { context: { path: to, source: from } });
  }
};
