import type { Grant } from '../../../core/files.ts';
import { walkShared } from '../../fs/walk-shared.ts';
import type { IndexAnswer } from '../index/ask-index.ts';
import { addLeftOut, type LeftOut, nothingLeftOut } from '../left-out.ts';
import { readyThreads, searchThreads } from '../search-threads.ts';
import { type FindQuery, type FoundNames, findPart } from './find-part.ts';
import { findWithIndex } from './find-with-index.ts';
import { addPaths, type FoundText } from './found-text.ts';

export interface FindOptions {
  readonly grant: Grant;
  /** The root as the caller calls it; results lie below. */
  readonly shown: string;
  readonly query: FindQuery;
  readonly signal: AbortSignal;
  /** Asks the index of the system, once the tree proves large. */
  askIndex(): Promise<IndexAnswer | undefined>;
  readonly patienceMs?: number;
}

export interface Found {
  /** In the order of texts, at most as many as the query needs. */
  readonly paths: string[];
  /** They are the first in that order; an index may have given others. */
  readonly areFirst: boolean;
  readonly unreadable: LeftOut;
}

/** About 150,000 entries. */
const START_AFTER_MS = 400;

/** Finds entries below a root by name. */
export const findPaths = async ({ grant, shown, query, signal, askIndex, ...rest }: FindOptions): Promise<Found> => {
  const paths: string[] = [];
  const unreadable = nothingLeftOut();
  const start = findPart(query);
  const startedMs = performance.now();
  let indexed: IndexAnswer | undefined;
  const walk = walkShared<FoundNames | FoundText>({
    grant,
    start,
    signal,
    ...searchThreads({
      startAfterMs: START_AFTER_MS,
      order: (pool, shared) => pool.run('find_names', { shared, query, shown }, { signal }),
    }),
    async instead(parts, pace) {
      const answer = await askIndex();
      const found = answer && (await findWithIndex(answer, { grant, query, start, rest: parts, pace }));
      indexed = found && answer;
      return found;
    },
    ...rest,
  });
  for await (const found of walk) {
    addPaths(paths, found, shown);
    addLeftOut(unreadable, found.unreadable);
    // What an index knows comes behind all that was walked.
    if (indexed === undefined && paths.length >= query.most) break;
  }
  if (indexed === undefined) readyThreads(performance.now() - startedMs);
  const sorted = indexed === undefined ? paths : [...new Set(paths)].sort();
  return { paths: sorted.slice(0, query.most), areFirst: indexed === undefined || indexed.coverage !== undefined, unreadable };
};
