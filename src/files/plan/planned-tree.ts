import { basename, dirname, isAbsolute, join, parse, sep } from 'node:path';
import { readLinkText } from '../../lib/fs/raw-names.ts';
import type { MeetLink } from '../../lib/fs/resolve.ts';
import { systemFault } from '../../lib/fs/system-fault.ts';
import { statAt } from '../entry.ts';

/** What a planned file holds, where that can be told: its bytes, or the same as a file on the disk. */
export type Content = { readonly bytes: Uint8Array } | { readonly onDisk: string } | undefined;

/** A file that would be there. */
export interface PlannedFile {
  readonly kind: 'file';
  /** Undefined where only a real run will know. */
  readonly size: number | undefined;
  readonly mtimeMs: number;
  readonly mode: number;
  readonly content: Content;
}

/** A directory in which something would be changed, or a new one. */
export interface PlannedDir {
  readonly kind: 'dir';
  /** The directory on the disk whose entries show here unless changed; undefined for a new one. */
  readonly source: string | undefined;
  /** Changed entries; undefined for one that is gone. */
  readonly changed: Map<string, PlannedNode | undefined>;
  /** Undefined: as at the source. */
  readonly mtimeMs: number | undefined;
  readonly mode: number | undefined;
}

/** A link that would be there. */
export interface PlannedLink {
  readonly kind: 'link';
  readonly target: string;
  readonly mtimeMs: number;
}

/** Whatever the disk has at a path, perhaps nothing; a dry run leaves the disk alone, so it stays true. */
export interface OnDisk {
  readonly kind: 'disk';
  readonly path: string;
}

/** What stands at a path after the changes planned so far. */
export type PlannedNode = PlannedFile | PlannedDir | PlannedLink | OnDisk;

/** The disk as it would be after the changes planned so far. Paths are absolute and, except for `resolve`, without links before the last name. */
export interface PlannedTree {
  find(real: string): PlannedNode | undefined;
  /** Puts something into a directory that is there. */
  put(real: string, node: PlannedNode): void;
  remove(real: string): void;
  /** The same, to be changed on its own. */
  copy(): PlannedTree;
  /** The real path once all that is planned has happened: links first, then `..`; missing parts are kept. */
  resolve(absolute: string, options: { readonly followLinks: boolean; readonly meet?: MeetLink }): string;
}

/** As many as Linux follows in one path. */
const MAX_LINKS = 40;

export const createPlannedTree = (tops = new Map<string, PlannedDir>()): PlannedTree => {
  const topOf = (path: string): PlannedDir => {
    const { root } = parse(path);
    const top = tops.get(root) ?? dirOver(root);
    tops.set(root, top);
    return top;
  };

  const find = (real: string): PlannedNode | undefined => {
    let node: PlannedNode | undefined = topOf(real);
    for (const name of namesOf(real)) node = entryOf(node, name);
    return node;
  };

  /** The directory at a path, ready to be changed. */
  const open = (real: string): PlannedDir => {
    let directory = topOf(real);
    for (const name of namesOf(real)) {
      const below = entryOf(directory, name);
      const next = below?.kind === 'dir' ? below : dirOver(below?.kind === 'disk' ? below.path : undefined);
      directory.changed.set(name, next);
      directory = next;
    }
    return directory;
  };

  const targetOfLink = (path: string): string | undefined => {
    const node = find(path);
    if (node?.kind === 'link') return node.target;
    return node?.kind === 'disk' && statAt(node.path)?.isSymbolicLink() ? readLinkText(node.path) : undefined;
  };

  const follow = (absolute: string, meet: MeetLink = () => {}): string => {
    let here = parse(absolute).root;
    let links = 0;
    const pending = segmentsOf(absolute).reverse();
    for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
      if (name === '' || name === '.') continue;
      const next = name === '..' ? dirname(here) : join(here, name);
      const target = name === '..' ? undefined : targetOfLink(next);
      if (target === undefined) {
        here = next;
        continue;
      }
      meet(next);
      links += 1;
      if (links > MAX_LINKS) throw systemFault('ELOOP', 'readlink', next);
      if (isAbsolute(target)) here = parse(target).root;
      pending.push(...segmentsOf(target).reverse());
    }
    return here;
  };

  return {
    find,
    put: (real, node) => void open(dirname(real)).changed.set(basename(real), node),
    remove: (real) => void open(dirname(real)).changed.set(basename(real), undefined),
    copy: () => createPlannedTree(new Map([...tops].map(([root, top]) => [root, copyOfDir(top)]))),
    resolve: (absolute, { followLinks, meet }) =>
      followLinks ? follow(absolute, meet) : join(follow(dirname(absolute)), basename(absolute)),
  };
};

/** A directory over one on the disk, or a new one. */
export const dirOver = (source: string | undefined, { mtimeMs, mode }: Partial<Pick<PlannedDir, 'mtimeMs' | 'mode'>> = {}): PlannedDir => ({
  kind: 'dir',
  source,
  changed: new Map(),
  mtimeMs,
  mode,
});

const copyOfDir = (directory: PlannedDir): PlannedDir => ({
  ...directory,
  changed: new Map([...directory.changed].map(([name, node]) => [name, node?.kind === 'dir' ? copyOfDir(node) : node])),
});

const entryOf = (node: PlannedNode | undefined, name: string): PlannedNode | undefined => {
  if (node?.kind === 'disk') return { kind: 'disk', path: join(node.path, name) };
  if (node?.kind !== 'dir') return undefined;
  if (node.changed.has(name)) return node.changed.get(name);
  return node.source === undefined ? undefined : { kind: 'disk', path: join(node.source, name) };
};

const segmentsOf = (path: string): string[] => path.slice(parse(path).root.length).split(sep === '\\' ? /[\\/]/ : '/');

const namesOf = (path: string): string[] => segmentsOf(path).filter((name) => name !== '');
