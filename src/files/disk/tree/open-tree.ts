import type { DirectoryHandle } from '../../../lib/fs/directory-handle.ts';

/** A directory that is open, and what callers call it. */
export interface OpenTree {
  readonly directory: DirectoryHandle;
  readonly shown: string;
}

/** A tree and what it is copied into. */
export interface TreePair<Target = OpenTree> {
  readonly source: OpenTree;
  readonly target: Target;
}
