import type { Segment, Token } from './globs-parse.ts';

/** Tells whether one name, in the case that the pattern is kept in, fits. */
export type NameTest = (name: string) => boolean;

export interface MatchOptions {
  /** Names that begin with a dot may be matched by wildcards. */
  readonly dot: boolean;
  readonly ignoreCase: boolean;
}

/** The case in which patterns and names are compared: characters whose lower case is longer keep theirs. */
export const foldCase = (text: string): string =>
  // Only these two are lowered differently as part of a text than on their own.
  /[\u0130\u03a3]/.test(text) ? Array.from(text, lowerCase).join('') : text.toLowerCase();

const lowerCase = (character: string): string => (character === '\u0130' ? character : character.toLowerCase());

/** The test for one segment of a pattern other than `**`. */
const compileName = (tokens: readonly Token[], { dot, ignoreCase }: MatchOptions): NameTest => {
  const parts = ignoreCase ? tokens.map(foldToken) : tokens;
  const test = compileAffixes(parts) ?? ((name: string) => matches(parts, name, ignoreCase));
  const [first] = parts;
  return dot || first?.kind === 'text' ? test : (name) => !name.startsWith('.') && test(name);
};

const foldToken = (token: Token): Token => {
  if (token.kind === 'text') return { kind: 'text', text: foldCase(token.text) };
  if (token.kind !== 'class') return token;
  return { ...token, ranges: token.ranges.map(([low, high]) => (low === high ? [foldPoint(low), foldPoint(low)] : [low, high])) };
};

const foldPoint = (point: number): number => foldCase(String.fromCodePoint(point)).codePointAt(0) ?? point;

/** Text with at most one star: most patterns are such, and the engine compares them fastest. */
const compileAffixes = (tokens: readonly Token[]): NameTest | undefined => {
  const stars = tokens.filter(({ kind }) => kind === 'star').length;
  if (stars > 1 || tokens.some(({ kind }) => kind === 'one' || kind === 'class')) return undefined;
  const [before, after] = [textOf(tokens[0]), textOf(tokens.at(-1))];
  if (stars === 0) return (name) => name === before;
  if (before === '') return (name) => name.endsWith(after);
  return (name) => name.length >= before.length + after.length && name.startsWith(before) && name.endsWith(after);
};

const textOf = (token: Token | undefined): string => (token?.kind === 'text' ? token.text : '');

/** A row of parts some of which are stars, as it is laid over a row of places. */
interface Row {
  readonly length: number;
  isStar(at: number): boolean;
  /** How many places a part takes; 0 where it does not fit. */
  take(at: number, place: number): number;
  /** How many places a star passes in one step; 0 where it must not. */
  pass(place: number): number;
}

/** A star first takes nothing, then one step more each time the rest fails; only the last star need be asked again. */
const fits = (row: Row, end: number): boolean => {
  let [at, place] = [0, 0];
  let [starAt, starPlace] = [-1, 0];
  while (place < end || at < row.length) {
    if (at < row.length && row.isStar(at)) {
      starAt = at;
      starPlace = place;
      at += 1;
      continue;
    }
    const taken = at < row.length && place < end ? row.take(at, place) : 0;
    if (taken > 0) {
      at += 1;
      place += taken;
      continue;
    }
    const passed = starAt < 0 || starPlace >= end ? 0 : row.pass(starPlace);
    if (passed === 0) return false;
    starPlace += passed;
    place = starPlace;
    at = starAt + 1;
  }
  return true;
};

const matches = (tokens: readonly Token[], name: string, ignoreCase: boolean): boolean =>
  fits(
    {
      length: tokens.length,
      isStar: (at) => tokens[at]?.kind === 'star',
      take: (at, place) => take(tokens[at], name, place, ignoreCase),
      pass: (place) => lengthAt(name, place),
    },
    name.length,
  );

const take = (token: Token | undefined, name: string, place: number, ignoreCase: boolean): number => {
  if (token?.kind === 'text') return name.startsWith(token.text, place) ? token.text.length : 0;
  if (token?.kind === 'class' && !hasPoint(token, name.codePointAt(place) ?? 0, ignoreCase)) return 0;
  return lengthAt(name, place);
};

const lengthAt = (name: string, place: number): number => ((name.codePointAt(place) ?? 0) > 0xffff ? 2 : 1);

const hasPoint = ({ ranges, isNegated }: Token & { kind: 'class' }, point: number, ignoreCase: boolean): boolean => {
  const isIn = (wanted: number) => ranges.some(([low, high]) => wanted >= low && wanted <= high);
  const isMember = isIn(point) || (ignoreCase && isIn(String.fromCodePoint(point).toUpperCase().codePointAt(0) ?? point));
  return isMember !== isNegated;
};

/** A segment as it is tried on the names of a path. */
export type SegmentTest = '**' | NameTest;

export const compileSegment = (segment: Segment, options: MatchOptions): SegmentTest =>
  segment === '**' ? segment : compileName(segment, options);

/** Whether the segments match all the names, one after the other. */
export const matchesPath = (segments: readonly SegmentTest[], names: readonly string[], { dot }: Pick<MatchOptions, 'dot'>): boolean =>
  fits(
    {
      length: segments.length,
      isStar: (at) => segments[at] === '**',
      take: (at, place) => fitsName(segments[at], names[place] ?? ''),
      pass: (place) => (dot || !names[place]?.startsWith('.') ? 1 : 0),
    },
    names.length,
  );

const fitsName = (segment: SegmentTest | undefined, name: string): number => (typeof segment === 'function' && segment(name) ? 1 : 0);
