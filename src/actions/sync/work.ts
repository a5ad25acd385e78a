import type { Context } from '../../core/context.ts';
import type { Grant } from '../../core/files.ts';
import type { NameList } from '../../lib/tree/name-list.ts';
import type { TreeFault } from '../../lib/tree/tree-fault.ts';
import type { Decision } from './decide.ts';
import type { SyncArgs } from './sync-args.ts';

/** A decision with all it takes to carry it out. */
export interface Work extends Pick<SyncArgs, 'src' | 'dst' | 'exclude' | 'max_listed' | 'trash'> {
  readonly ctx: Context;
  readonly source: Grant;
  readonly target: Grant;
  readonly decision: Decision;
}

/** What was done. */
export interface Done {
  readonly copied: NameList;
  readonly bytes: number;
  readonly vanished: NameList;
  /** Pipes, sockets and devices in directories that are new. */
  readonly special: NameList;
  /** Files that did not get the owner of those they replace, where nobody was told yet. */
  readonly unkept: NameList;
  readonly deleted: readonly string[];
  readonly faults: readonly TreeFault[];
}
