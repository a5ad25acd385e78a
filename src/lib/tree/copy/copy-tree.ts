import type { Grant } from '../../../core/files.ts';
import { codeOf } from '../../fs/system-fault.ts';
import type { WalkPart } from '../../fs/walk.ts';
import { openWalked } from '../../fs/walk-directory.ts';
import { walkShared } from '../../fs/walk-shared.ts';
import { searchThreads } from '../../search/search-threads.ts';
import { addAll } from '../add-all.ts';
import { dressLike } from '../dress-like.ts';
import { addNameList } from '../name-list.ts';
import { type Side, treeFault } from '../tree-fault.ts';
import { type Copied, type CopyOrder, copyPart, MOST_UNKEPT, nothingCopied } from './copy-part.ts';

export interface CopyOptions extends Omit<CopyOrder, 'most'> {
  readonly source: Grant;
  /** What is copied; by default everything. */
  readonly parts?: readonly WalkPart[];
  readonly signal: AbortSignal;
  /** Stop at the first thing that cannot be read, or written. */
  readonly stopsAt: readonly Side[];
  /** How many names to keep. */
  readonly most?: number;
  readonly patienceMs?: number;
}

/** About 1,500 small files or 100 MB. */
const START_AFTER_MS = 50;

/** Copies what is in a tree, a large one on all threads. Links never lead anywhere: they are copied as links. */
export const copyTree = async ({ source, parts, signal, stopsAt, most = 0, patienceMs, ...how }: CopyOptions): Promise<Copied> => {
  // One set of counters for both trees: progress is read at one place.
  const order: CopyOrder = { ...how, most, target: { ...how.target, counters: source.counters } };
  const all = nothingCopied();
  const walk = walkShared({
    grant: source,
    start: copyPart(order),
    signal,
    ...(parts && { parts }),
    ...searchThreads({ startAfterMs: START_AFTER_MS, order: (pool, shared) => pool.run('copy_tree', { shared, order }, { signal }) }),
    ...(patienceMs !== undefined && { patienceMs }),
  });
  for await (const copied of walk) {
    addCopied(all, copied, most);
    if (copied.faults.some(({ side }) => stopsAt.includes(side))) return all;
  }
  if (how.keepMetadata) dressDirectories(source, how.target, all);
  return all;
};

const addCopied = (all: Copied, { bytes, copied, vanished, special, unkept, links, undressed, faults }: Copied, most: number): void => {
  all.bytes += bytes;
  addNameList(all.copied, copied, most);
  addNameList(all.vanished, vanished, most);
  addNameList(all.special, special, most);
  addNameList(all.unkept, unkept, MOST_UNKEPT);
  addAll(all.links, links);
  addAll(all.undressed, undressed);
  addAll(all.faults, faults);
};

/** Gives directories the looks of their sources: the inner ones first, because setting them must not need what an outer mode forbids. */
export const dressDirectories = (source: Grant, target: Grant, { undressed, faults }: Pick<Copied, 'undressed' | 'faults'>): void => {
  for (const relative of undressed.toSorted((a, b) => b.length - a.length)) {
    try {
      dressDirectory(source, target, relative);
    } catch (fault) {
      // One that is gone by now needs no looks.
      if (codeOf(fault) !== 'ENOENT') faults.push(treeFault('target', relative, fault));
    }
  }
};

const dressDirectory = (source: Grant, target: Grant, relative: string): void => {
  using from = openWalked(source.root, relative, source.byHandles);
  using to = openWalked(target.root, relative, target.byHandles);
  dressLike(from.address(), to.address());
};
