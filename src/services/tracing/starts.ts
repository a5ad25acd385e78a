import type { RunResult } from '../../core/result.ts';

/**
 * When each command of a list began, in milliseconds after the list: results tell how long commands took, not when. Where the times of
 * all together fit into that of the list, they ran one after the other; otherwise they are shown as begun at once.
 */
export const startsOf = ({ results, duration_ms: total }: Pick<RunResult, 'results' | 'duration_ms'>): number[] => {
  let sum = 0;
  const oneAfterTheOther = results.map(({ duration_ms: own }) => {
    const start = sum;
    sum += own;
    return start;
  });
  return sum <= total + ROUNDING_MS * results.length ? oneAfterTheOther : results.map(() => 0);
};

/** Times in results are rounded. */
const ROUNDING_MS = 0.1;
