import { cpuMs } from './cpu-ms.ts';

/**
 * How many times as much processor time work takes on four times as much: 4 where the cost is linear, 16 where it is quadratic. The least of
 * several tries counts, since collecting garbage and compiling only ever add.
 */
export const cpuGrowth = async (small: () => unknown, large: () => unknown): Promise<number> => {
  const least = async (work: () => unknown): Promise<number> => {
    let best = Number.POSITIVE_INFINITY;
    for (let tries = 0; tries < 3; tries += 1) {
      const start = cpuMs();
      await work();
      best = Math.min(best, cpuMs() - start);
    }
    return best;
  };
  await small(); // compiled by then
  const [of, on] = [await least(small), await least(large)];
  return on / Math.max(of, 1);
};
