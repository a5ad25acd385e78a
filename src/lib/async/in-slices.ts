/** How many items are worked on before others have their turn: some milliseconds of small work. */
const SLICE = 1000;

/**
 * Works on many items, each of them quickly done, without holding the thread: others have their turn in between, and a signal ends it.
 * Work on few items pauses nowhere.
 */
export const mapInSlices = async <T, R>(
  items: readonly T[],
  { signal }: { readonly signal: AbortSignal },
  work: (item: T, index: number) => R,
): Promise<R[]> => {
  const results: R[] = [];
  for (const [index, item] of items.entries()) {
    if (isSliceOver(index)) await giveWay(signal);
    results.push(work(item, index));
  }
  return results;
};

/** Whether others should have their turn before the item at this place. */
export const isSliceOver = (index: number): boolean => index > 0 && index % SLICE === 0;

/** Lets others have their turn; rejects with the reason of the signal where that has come. */
export const giveWay = async (signal: AbortSignal): Promise<void> => {
  await new Promise((resolve) => setImmediate(resolve));
  signal.throwIfAborted();
};
