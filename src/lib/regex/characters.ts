/** A set of characters as code points from `low` to `high`, both inside; in order and apart once `tidy` has seen it. */
export type Characters = readonly (readonly [low: number, high: number])[];

const LAST = 0x10ffff;
const FIRST_ASTRAL = 0x10000;

export const EVERY: Characters = [[0, LAST]];
export const NOT_NEWLINE: Characters = [
  [0, 9],
  [11, LAST],
];
const DIGITS: Characters = [[0x30, 0x39]];
const WORD: Characters = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
];
const SPACE: Characters = [
  [0x09, 0x0a],
  [0x0c, 0x0d],
  [0x20, 0x20],
];

/** The sets behind `\d`, `\s` and `\w`, which are ASCII to RE2. */
export const PERL_CLASSES: ReadonlyMap<string, Characters> = new Map([
  ['d', DIGITS],
  ['s', SPACE],
  ['w', WORD],
]);

/** Sorts and joins what touches. */
const tidy = (set: Characters): Characters => {
  const joined: [number, number][] = [];
  for (const [low, high] of [...set].sort((a, b) => a[0] - b[0])) {
    const last = joined.at(-1);
    if (last !== undefined && low <= last[1] + 1) last[1] = Math.max(last[1], high);
    else joined.push([low, high]);
  }
  return joined;
};

/** Everything that is not in the set. */
export const complement = (set: Characters): Characters => {
  const outside: [number, number][] = [];
  let next = 0;
  for (const [low, high] of tidy(set)) {
    if (low > next) outside.push([next, low - 1]);
    next = high + 1;
  }
  if (next <= LAST) outside.push([next, LAST]);
  return outside;
};

/** The set with both cases of its letters, or undefined where it holds letters beyond ASCII, whose cases are not known here. */
export const withBothCases = (set: Characters): Characters | undefined => {
  const folded: [number, number][] = [];
  for (const [low, high] of set) {
    if (high > 0x7f) return undefined;
    folded.push([low, high]);
    for (let point = low; point <= high; point += 1) for (const other of otherCases(point)) folded.push([other, other]);
  }
  return folded;
};

/** Unicode gives k and s a third form each: the Kelvin sign and the long s. */
const otherCases = (point: number): readonly number[] => {
  const letter = point | 0x20;
  if (letter < 0x61 || letter > 0x7a || point < 0x41) return [];
  return [letter, letter - 0x20, ...(letter === 0x6b ? [0x212a] : letter === 0x73 ? [0x17f] : [])];
};

/**
 * The set as a JavaScript expression that takes whole characters only: a pair of surrogates counts as one.
 * Undefined where the set holds some characters beyond the first plane and not all of them.
 */
export const asExpression = (set: Characters): string | undefined => {
  const tidied = tidy(set);
  const astral = tidied.filter(([, high]) => high >= FIRST_ASTRAL);
  if (astral.length > 1 || astral.some(([low, high]) => high !== LAST || low > FIRST_ASTRAL)) return undefined;
  const plain = `[${tidied.map(([low, high]) => withoutSurrogates(low, Math.min(high, FIRST_ASTRAL - 1))).join('')}]`;
  return astral.length === 0 ? plain : `(?:[\\ud800-\\udbff][\\udc00-\\udfff]|${plain})`;
};

const withoutSurrogates = (low: number, high: number): string => {
  if (high < 0xd800 || low > 0xdfff) return low > high ? '' : range(low, high);
  return (low < 0xd800 ? range(low, 0xd7ff) : '') + (high > 0xdfff ? range(0xe000, high) : '');
};

const range = (low: number, high: number): string => (low === high ? unit(low) : `${unit(low)}-${unit(high)}`);

const unit = (code: number): string => `\\u${code.toString(16).padStart(4, '0')}`;
