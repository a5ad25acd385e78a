import { type ExceptionOptions, type FileAutomationException, TextOpsException } from '../../core/errors.ts';
import { eachMatch, type Find, type Match } from './match.ts';
import { type Judged, judge } from './re2-engine.ts';
import { type RegexFlags, translate } from './translate.ts';
import { findByV8, MAX_V8_CHARS } from './v8-engine.ts';

/** A pattern that runs in linear time on every text. `search.ts` keeps long searches from holding up the event loop. */
export interface LinearRegex extends Omit<Judged, 'find'> {
  readonly pattern: string;
  readonly flags: RegexFlags;
  test(text: string): boolean;
  /** The first match. */
  find(text: string): Match | undefined;
  /** All matches from the start of the text on, none inside another. */
  matches(text: string): Iterable<Match>;
}

export interface CompileOptions extends Partial<RegexFlags> {
  /** The error of a refused pattern. */
  readonly Refusal?: new (
    message: string,
    options: ExceptionOptions,
  ) => FileAutomationException;
  /** The argument that the pattern came from, for the error. */
  readonly argument?: string;
}

/** Longer patterns are refused before they are looked at. */
const MAX_PATTERN_CHARS = 4_000;

/**
 * Compiles a pattern of RE2 syntax: groups, classes, repeats, `(?i)`, `(?m)`, `(?s)`; neither look-around nor references back.
 * RE2 decides what is valid and what it means; the JavaScript engine does the work on short lines where both mean the same.
 */
export const compileRegex = async (pattern: string, options: CompileOptions = {}): Promise<LinearRegex> => {
  const { Refusal = TextOpsException, argument = 'pattern', ignoreCase = false, multiline = false, dotAll = false } = options;
  const refused = (why: string, remedy: string) =>
    new Refusal(`The pattern cannot be used: ${why}; ${remedy}.`, { context: { argument, pattern: pattern.slice(0, 200), why } });
  if (pattern.length > MAX_PATTERN_CHARS) throw refused(`it is longer than ${MAX_PATTERN_CHARS} characters`, 'make it shorter');
  const flags = { ignoreCase, multiline, dotAll };
  const judged = await judge(pattern, flags);
  if ('why' in judged) throw refused(judged.why, 'write it in RE2 syntax');
  const search = searchWith(judged, pattern, flags);
  const first = (text: string): Match | undefined => {
    for (const match of search(text)) return match;
    return undefined;
  };
  return { ...judged, pattern, flags, matches: search, find: first, test: (text) => first(text) !== undefined };
};

type Search = (text: string) => Iterable<Match>;

const searchWith = ({ find: findByRe2, mayCrossLines }: Judged, pattern: string, given: RegexFlags): Search => {
  const { rest, flags } = leadingFlags(pattern, given);
  const translation = translate(rest, flags);
  let isTrusted = true;
  const findByJs =
    translation &&
    findByV8(translation.source, () => {
      isTrusted = false;
    });
  if (translation === undefined || findByJs === undefined) return (text) => eachMatch(findByRe2, text, 0, text.length);

  /** Short texts go to the fast engine; it may still run out of stack. */
  const find: Find = (text, from) => {
    if (text.length > MAX_V8_CHARS || !isTrusted) return findByRe2(text, from);
    try {
      return findByJs(text, from);
    } catch (fault) {
      if (fault instanceof RangeError) return findByRe2(text, from);
      throw fault;
    }
  };
  if (!mayCrossLines) return (text) => eachMatchByLine(find, text, flags.multiline);
  const chosen = flags.multiline && translation.hasAnchors ? findByRe2 : find;
  return (text) => eachMatch(chosen, text, 0, text.length);
};

/** `(?im)` at the very beginning holds for the whole pattern. */
const leadingFlags = (
  pattern: string,
  { ignoreCase, multiline, dotAll }: RegexFlags,
): { readonly rest: string; readonly flags: RegexFlags } => {
  const [whole = '', letters = ''] = /^\(\?([ims]+)\)/.exec(pattern) ?? [];
  return {
    rest: pattern.slice(whole.length),
    flags: {
      ignoreCase: ignoreCase || letters.includes('i'),
      multiline: multiline || letters.includes('m'),
      dotAll: dotAll || letters.includes('s'),
    },
  };
};

/**
 * Searches each line for itself. With `multiline` a line stands alone, so its edges are edges of the text; without, it keeps the
 * line ends around it, so that `^` and `$` hold only where the text itself begins and ends.
 */
function* eachMatchByLine(find: Find, text: string, multiline: boolean): Generator<Match> {
  for (let lineStart = 0; lineStart <= text.length; ) {
    const newline = text.indexOf('\n', lineStart);
    const lineEnd = newline < 0 ? text.length : newline;
    const pieceStart = multiline || lineStart === 0 ? lineStart : lineStart - 1;
    const piece = text.slice(pieceStart, multiline ? lineEnd : lineEnd + 1);
    for (const { start, end, groups } of eachMatch(find, piece, lineStart - pieceStart, lineEnd - pieceStart)) {
      yield { start: start + pieceStart, end: end + pieceStart, groups };
    }
    lineStart = lineEnd + 1;
  }
}
