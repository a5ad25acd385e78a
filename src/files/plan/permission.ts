import { dirname } from 'node:path';
import { accessFault, type Use } from '../../lib/fs/access-fault.ts';
import { translate } from '../../lib/fs/faults.ts';
import { statAt } from '../entry.ts';
import type { PlannedNode } from './planned-tree.ts';
import type { Located, Planner, Seen } from './planner.ts';
import { contentOf } from './reading.ts';

// What the system would refuse by modes, owners and mounts. The disk asks nobody before: it tries. A dry run cannot try to write.

/** Refuses where nothing may be put into the directory of a path, or taken out of it; above what is missing, where none could be made. */
export const demandRoom = ({ tree }: Planner, { shown, real }: Pick<Located, 'shown' | 'real'>): void => {
  let at = dirname(real);
  let path = onDisk(tree.find(at));
  while (path !== undefined && statAt(path) === undefined && at !== dirname(at)) {
    at = dirname(at);
    path = onDisk(tree.find(at));
  }
  if (path !== undefined) demand(path, 'change', shown); // what the plan itself makes or marks is not refused
};

/** Refuses where what is in a directory may not be taken out. */
export const demandOpen = ({ tree }: Planner, real: string, shown: string): void => {
  const path = onDisk(tree.find(real));
  if (path !== undefined) demand(path, 'change', shown);
};

/** Refuses a file that may not be written itself. */
export const demandChangeable = ({ node }: Seen, shown: string): void => {
  if (node.kind === 'disk') demand(node.path, 'write', shown);
};

/** Refuses a file that may not be read, also where it would be read under another name by then. */
export const demandReadable = (seen: Seen, shown: string): void => {
  const content = contentOf(seen);
  if (content !== undefined && 'onDisk' in content) demand(content.onDisk, 'read', shown);
};

const onDisk = (node: PlannedNode | undefined): string | undefined => {
  if (node?.kind === 'disk') return node.path;
  return node?.kind === 'dir' && node.mode === undefined ? node.source : undefined;
};

const demand = (path: string, use: Use, shown: string): void => {
  const fault = accessFault(path, use);
  if (fault !== undefined) throw translate(fault, { path: shown });
};
