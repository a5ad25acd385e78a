/** More changes than can be made. */
const CHANGES_A_MS = 1_000;

/** Where the numbers of a run begin: from the time on, so that a run which another process goes on with has no number twice. */
const firstAt = (now: number): number => Math.floor(now) * CHANGES_A_MS;

/** Numbers for the entries of one journal. */
export const numbersFrom = (now: number): ((count: number) => number) => {
  let next = firstAt(now);
  return (count) => {
    next += count;
    return next - count;
  };
};

/** A place for the numbers of a run whose changes are written down by several threads: entries are undone in the order of these. */
export const openSharedNumbers = (now: number): SharedArrayBuffer => {
  const slot = new BigInt64Array(new SharedArrayBuffer(8));
  slot[0] = BigInt(firstAt(now));
  return slot.buffer;
};

/** Numbers out of such a place, on whatever thread. */
export const sharedNumbers = (place: SharedArrayBuffer): ((count: number) => number) => {
  const slot = new BigInt64Array(place);
  return (count) => Number(Atomics.add(slot, 0, BigInt(count)));
};
