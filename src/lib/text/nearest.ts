/** The candidate most like a misspelt word, or undefined when none is close. */
export const nearest = (word: string, candidates: Iterable<string>): string | undefined => {
  const wanted = word.toLowerCase().slice(0, 64);
  const limit = Math.max(1, Math.floor(wanted.length / 3));
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - wanted.length) >= bestDistance) continue;
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
};

/** The ending of a sentence that proposes it: `; did you mean x?` or nothing. */
export const didYouMean = (word: string, candidates: Iterable<string>): string => {
  const guess = nearest(word, candidates);
  return guess === undefined ? '' : `; did you mean ${guess}?`;
};

/** Insertions, deletions, replacements and swaps of neighbours that turn one word into the other. */
const editDistance = (a: string, b: string): number => {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1] ? 0 : 1;
      let cost = Math.min((above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, (above[column - 1] ?? 0) + same);
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1])
        cost = Math.min(cost, (before[column - 2] ?? 0) + 1);
      current.push(cost);
    }
    before = above;
    above = current;
  }
  return above[b.length] ?? 0;
};
