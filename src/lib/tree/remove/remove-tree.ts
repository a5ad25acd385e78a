import type { Grant } from '../../../core/files.ts';
import type { WalkPart } from '../../fs/walk.ts';
import { type SharedWalk, walkShared } from '../../fs/walk-shared.ts';
import { withOwnTally } from '../../fs/walk-tally.ts';
import { searchThreads } from '../../search/search-threads.ts';
import { addAll } from '../add-all.ts';
import { alone } from '../alone.ts';
import type { TreeFault } from '../tree-fault.ts';
import { type Removed, removePart } from './remove-part.ts';

export interface RemoveOptions {
  readonly grant: Grant;
  /** What goes; by default everything in the root, which itself stays. */
  readonly parts?: readonly WalkPart[];
  /** Entries are not deleted but get a name that begins with this. */
  readonly keepAt?: string | undefined;
  readonly signal: AbortSignal;
  /** Stop at the first thing that cannot go. */
  readonly isStrict?: boolean;
  readonly patienceMs?: number;
}

/** About 5,000 entries. */
const START_AFTER_MS = 50;

/**
 * Removes what is in a tree, a large one on all threads. Directories are held open on the way, whoever asks: one that is swapped
 * for a link must not lead the removal elsewhere.
 */
export const removeTree = async ({ grant, parts, keepAt, signal, isStrict = false, ...rest }: RemoveOptions): Promise<TreeFault[]> => {
  const order = { root: grant.root, ...(keepAt !== undefined && { keepAt }) };
  const held = { ...grant, byHandles: true };
  const faults: TreeFault[] = [];
  const remove = async (walk: Omit<SharedWalk<Removed>, 'start' | 'signal'>): Promise<void> => {
    for await (const removed of walkShared({ start: removePart(order), signal, ...walk })) {
      addAll(faults, removed.faults);
      if (isStrict && faults.length > 0) return;
    }
  };
  await remove({
    grant: held,
    ...(parts && { parts }),
    ...searchThreads({ startAfterMs: START_AFTER_MS, order: (pool, shared) => pool.run('remove_tree', { shared, order }, { signal }) }),
    ...rest,
  });
  if (faults.length > 0) return faults;
  // Directories that were shared out are empty now, but nobody saw the last of them.
  await remove({ grant: withOwnTally(held), ...(parts && { parts: directoriesOf(parts) }), ...alone });
  return faults;
};

const directoriesOf = (parts: readonly WalkPart[]): WalkPart[] =>
  parts.flatMap(({ relative, steps }) => {
    const directories = steps?.filter((step) => step.endsWith('/')) ?? [];
    return directories.length === 0 ? [] : [{ relative, steps: directories }];
  });
