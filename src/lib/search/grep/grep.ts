import type { Grant } from '../../../core/files.ts';
import { walkShared } from '../../fs/walk-shared.ts';
import { addLeftOut, nothingLeftOut } from '../left-out.ts';
import { searchThreads } from '../search-threads.ts';
import type { Collector } from './collect.ts';
import { grepPart } from './grep-part.ts';
import type { Harvest } from './harvest.ts';
import type { GrepQuery } from './query.ts';

export interface GrepOptions {
  readonly grant: Grant;
  readonly query: GrepQuery;
  /** Gets what is found, at most as many matches as the query needs. */
  readonly into: Pick<Collector<unknown>, 'count' | 'add' | 'cut'>;
  readonly signal: AbortSignal;
  readonly patienceMs?: number;
}

/** What of the tree was not searched, or not to its end. */
export type NotSearched = Pick<Harvest, 'unreadable' | 'binary' | 'endless'>;

/** About 25 MB. */
const START_AFTER_MS = 10;

/** Searches the content of files below a root. */
export const grepTree = async ({ grant, query, into, signal, ...rest }: GrepOptions): Promise<NotSearched> => {
  const left = { unreadable: nothingLeftOut(), binary: nothingLeftOut(), endless: nothingLeftOut() };
  const walk = walkShared<Harvest>({
    grant,
    start: await grepPart(query),
    signal,
    ...searchThreads({ startAfterMs: START_AFTER_MS, order: (pool, shared) => pool.run('grep_lines', { shared, query }, { signal }) }),
    ...rest,
  });
  for await (const harvest of walk) {
    into.add(harvest);
    for (const kind of ['unreadable', 'binary', 'endless'] as const satisfies readonly (keyof typeof left)[])
      addLeftOut(left[kind], harvest[kind]);
    if (into.count >= query.most) break;
  }
  into.cut(query.most);
  return left;
};
