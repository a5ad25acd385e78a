import { basename, dirname, relative, resolve, sep } from 'node:path';
import type { Policy } from '../access/policy.ts';
import { PathTraversalException } from '../core/errors.ts';
import type { Access } from '../core/files.ts';
import { openDirectory } from '../lib/fs/handles.ts';
import { resolvePath } from '../lib/fs/resolve.ts';

/** A path made safe to use: where the system finds it now, and what callers call it. */
export interface Spot {
  /** Address of the directory that holds it; `at` and `directory` stay good until disposal. */
  readonly directory: string;
  readonly name: string;
  /** Address of the thing itself. */
  readonly at: string;
  /** The real path, for identity and journal. */
  readonly real: string;
  [Symbol.dispose](): void;
}

export interface PlaceOptions {
  readonly access: Access;
  /** Follow a link at the last name to where it ends. */
  readonly followLinks: boolean;
}

/** Finds the spot of an absolute path. */
export type Place = (absolute: string, options: PlaceOptions) => Spot;

/** The real path; without `followLinks` the last name stays what it is. */
export const realPathOf = (absolute: string, followLinks: boolean): string => {
  if (followLinks) return resolvePath(absolute);
  const parent = resolvePath(dirname(absolute));
  const name = basename(absolute);
  return name === '' ? parent : resolve(parent, name);
};

/** For the owner: real paths as they are. */
export const placeAnywhere: Place = (absolute, { followLinks }) => {
  const real = realPathOf(absolute, followLinks);
  return { directory: dirname(real), name: basename(real), at: real, real, [Symbol.dispose]: () => {} };
};

/**
 * For callers with a policy: the path is judged by where it ends, then reached by open directory handles from the root,
 * so a link swapped in after the judgement is refused, not followed. `between` is called at that moment; tests swap there.
 */
export const placeInside =
  (policy: Policy, between: (real: string) => void = () => {}): Place =>
  (absolute, { access, followLinks }) => {
    const real = realPathOf(absolute, followLinks);
    const root = policy.rootFor(real, access, absolute);
    between(real);
    if (real === root) return rootSpot(root);
    const segments = relative(root, dirname(real)).split(sep).filter((segment) => segment !== '');
    const parent = openDirectory(root, segments);
    const name = basename(real);
    return { directory: parent.address(), name, at: parent.address(name), real, [Symbol.dispose]: () => parent[Symbol.dispose]() };
  };

/** The root itself has no parent the caller may use: it can be looked into, not replaced. */
const rootSpot = (root: string): Spot => {
  const handle = openDirectory(root, []);
  return {
    get directory(): string {
      throw new PathTraversalException(`${root} is a root of the policy and cannot itself be created, replaced or removed.`, { context: { path: root } });
    },
    name: basename(root),
    at: handle.address(),
    real: root,
    [Symbol.dispose]: () => handle[Symbol.dispose](),
  };
};
