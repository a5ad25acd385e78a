/** The values that occur more than once; negative ones do not count. */
export const repeatedValues = (values: Float64Array): Set<number> => {
  const sorted = values.toSorted();
  const repeated = new Set<number>();
  let last = -1;
  for (let at = 1; at < sorted.length; at += 1) {
    const value = sorted[at] ?? 0;
    if (value === last || value < 0 || value !== sorted[at - 1]) continue;
    repeated.add(value);
    last = value;
  }
  return repeated;
};

/** Puts items with the same key together, in their order; those that are alone are left out. */
export const groupsBy = (items: Iterable<number>, keyOf: (item: number) => string | undefined): number[][] => {
  const groups = new Map<string, number[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return [...groups.values()].filter(({ length }) => length > 1);
};
