import { asExpression, type Characters, complement, EVERY, NOT_NEWLINE, PERL_CLASSES, withBothCases } from './characters.ts';

/** How a pattern is read. */
export interface RegexFlags {
  readonly ignoreCase: boolean;
  /** `^` and `$` hold at every line. */
  readonly multiline: boolean;
  /** `.` takes line ends too. */
  readonly dotAll: boolean;
}

/** A pattern in the words of the JavaScript engine. */
export interface Translation {
  readonly source: string;
  /** It holds `^` or `$`; to JavaScript more characters end a line than to RE2. */
  readonly hasAnchors: boolean;
}

/** A stretch of the pattern, and what decides whether it may be repeated. */
interface Piece {
  readonly source: string;
  readonly mayBeEmpty: boolean;
  readonly hasGroup: boolean;
  /** How many copies of its innermost part the linear engine would write out. */
  readonly copies: number;
}

const NOTHING: Piece = { source: '', mayBeEmpty: true, hasGroup: false, copies: 1 };

/** With more of them the JavaScript engine has no linear way to run a pattern, so that it could hang. */
const MAX_COPIES = 16;

/**
 * Rewrites a pattern of RE2 syntax for the JavaScript engine, or gives undefined where the two might disagree: on the text they
 * match, or on what a group holds. RE2 has accepted the pattern before, so its syntax is sound. Groups lose their names.
 */
export const translate = (pattern: string, { ignoreCase, dotAll }: RegexFlags): Translation | undefined => {
  let at = 0;
  let isShared = true;
  let hasAnchors = false;

  /** Gives up: the rest of the pattern is not looked at. */
  const outside = (): Piece => {
    isShared = false;
    at = pattern.length;
    return NOTHING;
  };
  const takes = (wanted: string): boolean => {
    if (!pattern.startsWith(wanted, at)) return false;
    at += wanted.length;
    return true;
  };

  const alternatives = (): Piece => {
    const branches = [sequence()];
    while (takes('|')) branches.push(sequence());
    return {
      source: branches.map(({ source }) => source).join('|'),
      mayBeEmpty: branches.some(({ mayBeEmpty }) => mayBeEmpty),
      hasGroup: branches.some(({ hasGroup }) => hasGroup),
      copies: mostCopies(branches),
    };
  };

  const sequence = (): Piece => {
    const items: Piece[] = [];
    while (at < pattern.length && pattern[at] !== '|' && pattern[at] !== ')') items.push(repeated(atom()));
    return {
      source: items.map(({ source }) => source).join(''),
      mayBeEmpty: items.every(({ mayBeEmpty }) => mayBeEmpty),
      hasGroup: items.some(({ hasGroup }) => hasGroup),
      copies: mostCopies(items),
    };
  };

  /** An empty turn of a loop, and a group inside a loop, end differently in the two engines. */
  const repeated = (item: Piece): Piece => {
    const [operator] = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/.exec(pattern.slice(at, at + 32)) ?? [];
    if (operator === undefined) return item;
    at += operator.length;
    const copies = item.copies * copiesBy(operator);
    if (item.mayBeEmpty || (item.hasGroup && !operator.startsWith('?')) || copies > MAX_COPIES) return outside();
    return { source: item.source + operator, mayBeEmpty: /^[*?]|^\{0/.test(operator), hasGroup: item.hasGroup, copies };
  };

  const atom = (): Piece => {
    if (takes('(')) return group();
    if (takes('[')) return characterClass();
    if (takes('\\')) return escaped();
    if (takes('.')) return oneOf(dotAll ? EVERY : NOT_NEWLINE);
    if (takes('^')) return anchor('^');
    if (takes('$')) return anchor('$');
    return literal(nextPoint());
  };

  const anchor = (source: string): Piece => {
    hasAnchors = true;
    return { ...NOTHING, source };
  };

  const group = (): Piece => {
    const captures = !takes('?:');
    if (captures && takes('?')) {
      const [name] = /^P?<\w+>/.exec(pattern.slice(at)) ?? [];
      if (name === undefined) return outside();
      at += name.length;
    }
    const inner = alternatives();
    takes(')');
    return { ...inner, source: `(${captures ? '' : '?:'}${inner.source})`, hasGroup: captures || inner.hasGroup };
  };

  const oneOf = (set: Characters | undefined): Piece => {
    const source = set === undefined ? undefined : asExpression(set);
    return source === undefined ? outside() : { ...NOTHING, source, mayBeEmpty: false };
  };

  const literal = (point: number): Piece => {
    if (point < 0x10000) return oneOf(inBothCases([[point, point]]));
    return ignoreCase ? outside() : { ...NOTHING, source: `(?:${String.fromCodePoint(point)})`, mayBeEmpty: false };
  };

  const inBothCases = (set: Characters): Characters | undefined => (ignoreCase ? withBothCases(set) : set);

  const nextPoint = (): number => {
    const point = pattern.codePointAt(at) ?? 0;
    at += point > 0xffff ? 2 : 1;
    return point;
  };

  const escaped = (): Piece => {
    if (takes('b')) return { ...NOTHING, source: '\\b' };
    const set = escapedSet();
    if (set !== undefined) return oneOf(set);
    const point = escapedPoint();
    return point === undefined ? outside() : literal(point);
  };

  /** `\d`, `\S` and their like, after the backslash. */
  const escapedSet = (): Characters | undefined => {
    const letter = pattern[at] ?? '';
    const known = PERL_CLASSES.get(letter.toLowerCase());
    if (known === undefined) return undefined;
    at += 1;
    const set = inBothCases(known);
    return letter === letter.toLowerCase() || set === undefined ? set : complement(set);
  };

  /** One character, after the backslash. */
  const escapedPoint = (): number | undefined => {
    const control = CONTROLS.get(pattern[at] ?? '');
    if (control !== undefined) return skipped(1, control);
    if (PUNCTUATION.test(pattern[at] ?? '')) return nextPoint();
    const [, digits] = /^x([0-9A-Fa-f]{2})/.exec(pattern.slice(at, at + 3)) ?? [];
    return digits === undefined ? undefined : skipped(3, Number.parseInt(digits, 16));
  };

  const skipped = (characters: number, value: number): number => {
    at += characters;
    return value;
  };

  const characterClass = (): Piece => {
    const isNegated = takes('^');
    const members: (readonly [number, number])[] = [];
    for (let isFirst = true; isFirst || pattern[at] !== ']'; isFirst = false) {
      const found = at < pattern.length && !pattern.startsWith('[:', at) ? classMember() : undefined;
      if (found === undefined) return outside();
      members.push(...found);
    }
    at += 1;
    const set = inBothCases(members);
    return oneOf(isNegated && set !== undefined ? complement(set) : set);
  };

  const classMember = (): Characters | undefined => {
    if (pattern[at] === '\\') {
      at += 1;
      const set = escapedSet();
      if (set !== undefined) return set;
      at -= 1;
    }
    const low = classPoint();
    if (low === undefined || pattern[at] !== '-' || pattern[at + 1] === ']') return low === undefined ? undefined : [[low, low]];
    at += 1;
    const high = classPoint();
    return high === undefined ? undefined : [[low, high]];
  };

  const classPoint = (): number | undefined => (takes('\\') ? escapedPoint() : nextPoint());

  const { source } = alternatives();
  return isShared && at === pattern.length ? { source: `(?:${source})`, hasAnchors } : undefined;
};

const mostCopies = (pieces: readonly Piece[]): number => Math.max(1, ...pieces.map(({ copies }) => copies));

/** As often as a repeat is written out: `{2,5}` five times, `{2,}` and `+` once more than at least. */
const copiesBy = (operator: string): number => {
  if (operator.startsWith('+')) return 2;
  const [, least = '1', more, most] = /^\{(\d+)(,(\d*))?/.exec(operator) ?? [];
  if (most) return Math.max(1, Number(most));
  return Math.max(1, Number(least)) + (more === undefined ? 0 : 1);
};

const PUNCTUATION = /[!-/:-@[-`{-~]/;

const CONTROLS: ReadonlyMap<string, number> = new Map([
  ['a', 0x07],
  ['f', 0x0c],
  ['n', 0x0a],
  ['r', 0x0d],
  ['t', 0x09],
  ['v', 0x0b],
]);
