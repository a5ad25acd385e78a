import type { Grant } from '../../../core/files.ts';
import { walkShared } from '../../fs/walk-shared.ts';
import type { IndexAnswer } from '../index/ask-index.ts';
import { addLeftOut, type LeftOut, nothingLeftOut } from '../left-out.ts';
import { readyThreads, searchThreads } from '../search-threads.ts';
import { type FindQuery, type FoundPaths, findPart } from './find-part.ts';
import { findWithIndex } from './find-with-index.ts';
import { addPaths, linesOf } from './path-text.ts';

export interface FindOptions {
  readonly grant: Grant;
  /** The root as the caller calls it; results lie below. */
  readonly shown: string;
  readonly query: FindQuery;
  readonly signal: AbortSignal;
  /** Asks the index of the system, once the tree proves large. */
  askIndex(): Promise<IndexAnswer | undefined>;
  /** Give lines instead of paths where that can be done; for a query that wants all there are. */
  readonly asLines?: boolean;
  readonly patienceMs?: number;
}

export interface Found {
  /** In the order of texts, at most as many as the query needs. */
  readonly paths: string[];
  /** Instead of paths: texts with each of them on a line. */
  readonly lines?: readonly Uint8Array[];
  /** They are the first in that order; an index may have given others. */
  readonly areFirst: boolean;
  readonly unreadable: LeftOut;
}

/** About 150,000 entries. */
const START_AFTER_MS = 400;

/** Finds entries below a root by name. */
export const findPaths = async ({ grant, shown, query, signal, askIndex, asLines = false, ...rest }: FindOptions): Promise<Found> => {
  const parts: FoundPaths[] = [];
  let count = 0;
  const unreadable = nothingLeftOut();
  const form = { shown, asLines };
  const start = findPart(query, form);
  const startedMs = performance.now();
  let indexed: IndexAnswer | undefined;
  const walk = walkShared<FoundPaths>({
    grant,
    start,
    signal,
    ...searchThreads({
      startAfterMs: START_AFTER_MS,
      order: (pool, shared) => pool.run('find_names', { shared, query, form }, { signal }),
    }),
    async instead(left, pace) {
      const answer = await askIndex();
      const found = answer && (await findWithIndex(answer, { grant, query, start, rest: left, pace }));
      indexed = found && answer;
      return found;
    },
    ...rest,
  });
  for await (const found of walk) {
    parts.push(found);
    count += found.count;
    addLeftOut(unreadable, found.unreadable);
    // What an index knows comes behind all that was walked.
    if (indexed === undefined && count >= query.most) break;
  }
  if (indexed === undefined) readyThreads(performance.now() - startedMs);
  const lines = asLines && indexed === undefined ? linesOf(parts) : undefined;
  if (lines !== undefined) return { paths: [], lines, areFirst: true, unreadable };
  const paths: string[] = [];
  for (const part of parts) addPaths(paths, part);
  const sorted = indexed === undefined ? paths : [...new Set(paths)].sort();
  return { paths: sorted.slice(0, query.most), areFirst: indexed === undefined || indexed.coverage !== undefined, unreadable };
};
