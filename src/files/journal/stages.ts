import { basename, sep } from 'node:path';
import type { Change } from '../../core/journal.ts';
import { ownerOfPart } from '../../lib/fs/part-name.ts';
import { entryOf, statAt } from '../entry.ts';

/** Private directories in which a run gets things ready before they appear. */
export interface Stages {
  /** A change as others see it; undefined where nobody does, because it happens inside a stage. */
  seenOutside(change: Change): Change | undefined;
  /** Whether a new directory is a stage; it is remembered as one. */
  begins(change: Change): boolean;
}

export const createStages = (): Stages => {
  const stages = new Set<string>();
  const isStaged = (path: string): boolean => [...stages].some((stage) => path === stage || path.startsWith(`${stage}${sep}`));
  return {
    begins(change) {
      const isStage = change.kind === 'make_dir' && ownerOfPart(basename(change.path)) !== undefined;
      if (isStage) stages.add(change.path);
      return isStage;
    },
    seenOutside(change) {
      if (stages.size === 0) return change;
      const from = change.kind === 'move' ? change.from : change.path;
      if (!isStaged(from)) return change;
      if (change.kind === 'move' || change.kind === 'delete_tree') stages.delete(from); // the stage itself goes
      return change.kind === 'move' && !isStaged(change.to) ? appearance(change) : undefined;
    },
  };
};

/** What leaves a stage is new, or takes the place of something. */
const appearance = ({ from, to: path, replaced }: Change & { readonly kind: 'move' }): Change => {
  const stats = statAt(from);
  const arriving = stats?.isFile() ? { arriving: entryOf(path, stats) } : {};
  return replaced === undefined ? { kind: 'create', path, ...arriving } : { kind: 'overwrite', path, entry: replaced, ...arriving };
};
