/** Maps a list with at most `width` calls under way; answers in the order of the list. The first failure stops further calls. */
export const boundedMap = async <T, R>(items: readonly T[], width: number, work: (item: T, index: number) => Promise<R>): Promise<R[]> => {
  const results = new Array<R>(items.length);
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const index = next;
      next += 1;
      // `index` is below the length, so there is an item.
      results[index] = await work(items[index] as T, index);
    }
  };
  const workers = Array.from({ length: Math.min(width, items.length) }, worker);
  try {
    await Promise.all(workers);
  } catch (fault) {
    next = items.length;
    await Promise.allSettled(workers);
    throw fault;
  }
  return results;
};
