import { fstatSync, lstatSync, realpathSync, type Stats } from 'node:fs';
import { basename, dirname, relative, resolve, sep } from 'node:path';
import type { Policy } from '../access/policy.ts';
import { PathTraversalException } from '../core/errors.ts';
import type { Access } from '../core/files.ts';
import { type DirectoryHandle, entryPath, refuseEntry } from '../lib/fs/directory-handle.ts';
import { openDirectory } from '../lib/fs/handles.ts';
import { MAX_PART_NAME_BYTES } from '../lib/fs/part-name.ts';
import { resolvePath } from '../lib/fs/resolve.ts';
import { systemFault } from '../lib/fs/system-fault.ts';
import { statAt } from './entry.ts';
import { isRoot } from './refusals.ts';

/** A path made safe to use: where the system finds it now, and what callers call it. Addresses are good until disposal. */
export interface Spot extends Disposable {
  /** The real path, for identity and journal. */
  readonly real: string;
  readonly name: string;
  /** The path of the directory that holds it. */
  readonly parent: string;
  /** Where to look at the thing itself. */
  readonly at: string;
  /** What stood there when the spot was found, where that was looked at for the way; old as soon as somebody has waited. */
  readonly seen?: Seen | undefined;
  /** Where its directory is, for changes; a root has none to give and refuses. */
  readonly directory: string;
  /** Its directory is held open, so that nothing done here can end up elsewhere. */
  readonly isGuarded: boolean;
  /** Throws when the path no longer leads to the directory that was judged. */
  demandInPlace(): void;
  /** Opens the directory at the spot. */
  enter(): DirectoryHandle;
  /** The spot of another name in the same directory; good as long as this one. */
  beside(name: string): Spot;
}

/** A look at a spot, also one that found nothing. */
export interface Seen {
  readonly stats: Stats | undefined;
}

export interface PlaceOptions {
  readonly access: Access;
  /** Follow a link at the last name to where it ends. */
  readonly followLinks: boolean;
  /** The path was resolved before: a link on its way now was put there meanwhile and is refused. */
  readonly isResolved?: boolean;
}

/** Finds the spot of an absolute path. Throws the system's faults and refusals. */
export type Place = (absolute: string, options: PlaceOptions) => Spot;

/** The longest path that Linux takes, without the NUL at its end. */
const MAX_PATH_BYTES = 4095;

/** For the owner: the path as it is; only a link at its end must be followed by hand. */
export const placeAnywhere: Place = (absolute, { followLinks, isResolved = false }) => {
  const first = followLinks && !isResolved ? { stats: statAt(absolute) } : undefined;
  const isLink = first?.stats?.isSymbolicLink() === true;
  const at = isLink ? resolvePath(absolute) : absolute;
  const directory = dirname(at);
  if (directory === at) return rootSpot(at, { isGuarded: false });
  // A temporary name beside it could be too long for the system: then its directory is held open and the name stands alone.
  if (Buffer.byteLength(directory) + 1 + MAX_PART_NAME_BYTES > MAX_PATH_BYTES) return heldSpot(realPathOf(at, { followLinks: false }));
  return {
    get real() {
      return isResolved ? at : realPathOf(at, { followLinks: false });
    },
    name: basename(at),
    parent: directory,
    at,
    seen: isLink ? undefined : first,
    directory,
    isGuarded: false,
    demandInPlace() {},
    enter: () => openDirectory(realPathOf(at, { followLinks: false }), []),
    beside: (name) => placeAnywhere(entryPath(directory, name), { access: 'write', followLinks: false, isResolved }),
    [Symbol.dispose]() {},
  };
};

/**
 * For callers with a policy: the path is judged by where it ends, then reached by open directory handles from the root,
 * so a link swapped in after the judgement is refused, not followed. `between` is called at that moment; tests swap there.
 */
export const placeInside =
  (policy: Policy, between: (real: string) => void = () => {}): Place =>
  (absolute, { access, followLinks, isResolved = false }) => {
    const real = isResolved ? absolute : realPathOf(absolute, { followLinks });
    const root = policy.rootFor(real, access, absolute);
    between(real);
    if (real === root) return rootSpot(root, { isGuarded: true });
    const segments = relative(root, dirname(real))
      .split(sep)
      .filter((segment) => segment !== '');
    const parent = openJudged(root, segments);
    return { ...spotIn(parent, basename(real), { isGuarded: true }), [Symbol.dispose]: () => parent[Symbol.dispose]() };
  };

/** The spot of an entry of a directory that is open; the directory stays the caller's to dispose. */
export const spotIn = (parent: DirectoryHandle, name: string, { isGuarded }: Pick<Spot, 'isGuarded'>): Spot => ({
  real: entryPath(parent.realPath, name),
  name,
  parent: parent.realPath,
  at: parent.address(name),
  directory: parent.address(),
  isGuarded,
  demandInPlace() {
    if (isGuarded) demandNamed(parent);
  },
  enter: () => parent.enter(name),
  beside: (other) => spotIn(parent, other, { isGuarded }),
  [Symbol.dispose]() {},
});

/** Where a change of the entry itself happens: its name in its directory. */
export const slotOf = ({ directory, name }: Spot): string => entryPath(directory, name);

/** Refuses to replace, move or remove a root. */
export const demandNotRoot = (spot: Spot): void => void slotOf(spot);

/** The real path; without `followLinks` the last name stays what it is. */
export const realPathOf = (absolute: string, { followLinks }: Pick<PlaceOptions, 'followLinks'>): string => {
  if (followLinks) return resolvePath(absolute);
  const name = basename(absolute);
  const parent = realDirectory(dirname(absolute));
  return name === '' ? parent : resolve(parent, name);
};

/** Mostly a directory is where its path says, which one question tells. */
const realDirectory = (path: string): string => {
  try {
    if (realpathSync.native(path) === path) return path;
  } catch {
    // missing in part, or out of reach: told step by step
  }
  return resolvePath(path);
};

/** The spot of a real path in its directory, which is held open: what led there may go away. */
export const heldSpot = (real: string): Spot => {
  const parent = openDirectory(dirname(real), []);
  return { ...spotIn(parent, basename(real), { isGuarded: false }), [Symbol.dispose]: () => parent[Symbol.dispose]() };
};

/** A root has no parent that may be used: it can be looked into, not replaced. */
const rootSpot = (root: string, { isGuarded }: Pick<Spot, 'isGuarded'>): Spot => {
  const handle = openDirectory(root, []);
  return {
    real: root,
    name: basename(root),
    parent: dirname(root),
    // The dot, because the address of a handle is itself a link.
    at: `${handle.address()}${sep}.`,
    get directory(): string {
      throw isRoot(root);
    },
    isGuarded,
    demandInPlace: () => demandNamed(handle),
    enter: () => openDirectory(root, []),
    beside() {
      throw isRoot(root);
    },
    [Symbol.dispose]: () => handle[Symbol.dispose](),
  };
};

const openJudged = (root: string, segments: readonly string[]): DirectoryHandle => {
  try {
    return openDirectory(root, segments);
  } catch (fault) {
    throw isBelowFile(fault) ? systemFault('ENOTDIR', 'open', root) : fault;
  }
};

/** A plain file on the way makes a wrong path, not a trick. */
const isBelowFile = (fault: unknown): boolean => {
  if (!(fault instanceof PathTraversalException) || typeof fault.context.path !== 'string') return false;
  const there = statAt(fault.context.path);
  return there !== undefined && !there.isSymbolicLink() && !there.isDirectory();
};

const demandNamed = ({ fd, realPath }: DirectoryHandle): void => {
  const held = fstatSync(fd, { bigint: true });
  const there = lstatSync(realPath, { bigint: true, throwIfNoEntry: false });
  if (there?.ino !== held.ino || there.dev !== held.dev) throw refuseEntry(realPath, 'replaced');
};
