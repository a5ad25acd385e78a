type DiffArrays = typeof import('diff').diffArrays;

/** Lines that were replaced: on the left from `left` up to `leftEnd`, on the right likewise; one side may be empty. */
export interface Change {
  readonly left: number;
  readonly leftEnd: number;
  readonly right: number;
  readonly rightEnd: number;
}

type Lines = readonly string[];

/** After this time what is left is given as replaced in one piece: still right, no longer short. */
const MAX_SEARCH_MS = 1_000;

/**
 * What has to be replaced to make the right lines from the left ones, in order. Lines that occur once on each side hold the two
 * together, so that the search for the shortest way is only made between them.
 */
export const changesBetween = async (left: Lines, right: Lines): Promise<readonly Change[]> => {
  const { diffArrays } = await import('diff');
  const deadlineMs = performance.now() + MAX_SEARCH_MS;
  const whole: Change = { left: 0, leftEnd: left.length, right: 0, rightEnd: right.length };
  return gapsBetween(left, right, trim(left, right, whole)).flatMap((gap) => search(left, right, gap, { diffArrays, deadlineMs }));
};

const isEmpty = ({ left, leftEnd, right, rightEnd }: Change): boolean => left === leftEnd && right === rightEnd;

/** Takes off what is the same at both ends. */
const trim = (left: Lines, right: Lines, { left: l, leftEnd, right: r, rightEnd }: Change): Change => {
  let start = 0;
  const most = Math.min(leftEnd - l, rightEnd - r);
  while (start < most && left[l + start] === right[r + start]) start += 1;
  let end = 0;
  while (end < most - start && left[leftEnd - 1 - end] === right[rightEnd - 1 - end]) end += 1;
  return { left: l + start, leftEnd: leftEnd - end, right: r + start, rightEnd: rightEnd - end };
};

/** The stretches between the lines that both sides have once, in the same order. */
const gapsBetween = (left: Lines, right: Lines, { left: l, leftEnd, right: r, rightEnd }: Change): readonly Change[] => {
  const gaps: Change[] = [];
  let [fromLeft, fromRight] = [l, r];
  for (const [atLeft, atRight] of [
    ...longestRising(uniquePairs(left, right, { left: l, leftEnd, right: r, rightEnd })),
    [leftEnd, rightEnd] as const,
  ]) {
    const gap = trim(left, right, { left: fromLeft, leftEnd: atLeft, right: fromRight, rightEnd: atRight });
    if (!isEmpty(gap)) gaps.push(gap);
    [fromLeft, fromRight] = [atLeft + 1, atRight + 1];
  }
  return gaps;
};

type Pair = readonly [left: number, right: number];

/** Places of the lines that occur exactly once on each side, in the order of the left. */
const uniquePairs = (left: Lines, right: Lines, { left: l, leftEnd, right: r, rightEnd }: Change): readonly Pair[] => {
  const onLeft = placesOfUnique(left, l, leftEnd);
  const onRight = placesOfUnique(right, r, rightEnd);
  const pairs: Pair[] = [];
  for (const [line, atLeft] of onLeft) {
    const atRight = onRight.get(line);
    if (atLeft >= 0 && atRight !== undefined && atRight >= 0) pairs.push([atLeft, atRight]);
  }
  return pairs;
};

/** Each line with its place, or with -1 where it occurs again. */
const placesOfUnique = (lines: Lines, from: number, end: number): ReadonlyMap<string, number> => {
  const places = new Map<string, number>();
  for (let at = from; at < end; at += 1) {
    const line = lines[at] ?? '';
    places.set(line, places.has(line) ? -1 : at);
  }
  return places;
};

/** The longest run of pairs that rises on the right too: one pile per length, each pair linked to the top of the pile before it. */
const longestRising = (pairs: readonly Pair[]): readonly Pair[] => {
  const tops: number[] = [];
  const before = new Int32Array(pairs.length).fill(-1);
  const rightOf = (pair: number): number => pairs[pair]?.[1] ?? 0;
  for (const [at, [, right]] of pairs.entries()) {
    let low = 0;
    for (let high = tops.length; low < high; ) {
      const middle = (low + high) >> 1;
      if (rightOf(tops[middle] ?? 0) < right) low = middle + 1;
      else high = middle;
    }
    before[at] = tops[low - 1] ?? -1;
    tops[low] = at;
  }
  const rising: Pair[] = [];
  for (let at = tops.at(-1) ?? -1; at >= 0; at = before[at] ?? -1) rising.push(pairs[at] ?? [0, 0]);
  return rising.reverse();
};

interface Searching {
  readonly diffArrays: DiffArrays;
  readonly deadlineMs: number;
}

/** The shortest way through one gap. */
const search = (left: Lines, right: Lines, gap: Change, { diffArrays, deadlineMs }: Searching): readonly Change[] => {
  const timeout = deadlineMs - performance.now();
  if (timeout <= 0 || gap.left === gap.leftEnd || gap.right === gap.rightEnd) return [gap];
  const script = diffArrays(left.slice(gap.left, gap.leftEnd), right.slice(gap.right, gap.rightEnd), { timeout });
  if (script === undefined) return [gap];
  const changes: Change[] = [];
  let [atLeft, atRight] = [gap.left, gap.right];
  let [fromLeft, fromRight] = [atLeft, atRight];
  const close = () => {
    const change = { left: fromLeft, leftEnd: atLeft, right: fromRight, rightEnd: atRight };
    if (!isEmpty(change)) changes.push(change);
  };
  for (const { added, removed, value } of script) {
    if (removed) atLeft += value.length;
    else if (added) atRight += value.length;
    else {
      close();
      atLeft += value.length;
      atRight += value.length;
      [fromLeft, fromRight] = [atLeft, atRight];
    }
  }
  close();
  return changes;
};
