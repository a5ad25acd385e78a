import type { Grant } from '../../../core/files.ts';
import { walkShared } from '../../fs/walk-shared.ts';
import { searchThreads } from '../../search/search-threads.ts';
import { type CompareOrder, comparePart } from './compare-part.ts';
import { addCompared, type Compared, nothingCompared } from './compared.ts';

export interface CompareOptions extends CompareOrder {
  readonly source: Grant;
  readonly signal: AbortSignal;
  readonly patienceMs?: number;
}

/** About 5,000 pairs of files. */
const START_AFTER_MS = 50;

/** Compares two trees, large ones on all threads. */
export const compareTrees = async ({ source, signal, patienceMs, ...order }: CompareOptions): Promise<Compared> => {
  const all = nothingCompared();
  const walk = walkShared({
    grant: source,
    start: comparePart(order),
    signal,
    ...searchThreads({ startAfterMs: START_AFTER_MS, order: (pool, shared) => pool.run('compare_trees', { shared, order }, { signal }) }),
    ...(patienceMs !== undefined && { patienceMs }),
  });
  for await (const part of walk) addCompared(all, part, order.most);
  return all;
};
