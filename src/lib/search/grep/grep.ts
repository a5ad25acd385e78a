import type { Grant } from '../../../core/files.ts';
import { walkShared } from '../../fs/walk-shared.ts';
import { addLeftOut, nothingLeftOut } from '../left-out.ts';
import { searchThreads } from '../search-threads.ts';
import { grepPart } from './grep-part.ts';
import type { Harvest } from './harvest.ts';
import { addMatches, type GrepMatch } from './matches.ts';
import type { GrepQuery } from './query.ts';

export interface GrepOptions {
  readonly grant: Grant;
  /** The root as the caller calls it; results lie below. */
  readonly shown: string;
  readonly query: GrepQuery;
  readonly signal: AbortSignal;
  readonly patienceMs?: number;
}

export interface Grepped extends Pick<Harvest, 'unreadable' | 'binary' | 'endless'> {
  /** In the order of paths and lines, at most as many as the query needs. */
  readonly matches: GrepMatch[];
}

/** About 25 MB. */
const START_AFTER_MS = 10;

/** Searches the content of files below a root. */
export const grepTree = async ({ grant, shown, query, signal, ...rest }: GrepOptions): Promise<Grepped> => {
  const matches: GrepMatch[] = [];
  const left = { unreadable: nothingLeftOut(), binary: nothingLeftOut(), endless: nothingLeftOut() };
  const walk = walkShared<Harvest>({
    grant,
    start: await grepPart(query),
    signal,
    ...searchThreads({ startAfterMs: START_AFTER_MS, order: (pool, shared) => pool.run('grep_lines', { shared, query }, { signal }) }),
    ...rest,
  });
  for await (const harvest of walk) {
    addMatches(matches, harvest, shown, query.maxLineChars);
    for (const kind of ['unreadable', 'binary', 'endless'] as const satisfies readonly (keyof typeof left)[])
      addLeftOut(left[kind], harvest[kind]);
    if (matches.length >= query.most) break;
  }
  if (matches.length > query.most) matches.length = query.most;
  return { matches, ...left };
};
