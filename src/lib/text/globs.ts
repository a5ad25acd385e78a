import { ValidationException } from '../../core/errors.ts';
import { expandBraces } from './globs-braces.ts';
import { compileSegment, foldCase, type MatchOptions, matchesPath, type NameTest, type SegmentTest } from './globs-match.ts';
import { parseForm } from './globs-parse.ts';

/** A compiled pattern. Its time grows with the lengths of pattern and path, whatever they are. */
export interface Glob {
  /** Whether the pattern is for whole paths because a `/` is in it; others are for names. */
  readonly hasPath: boolean;
  /** Whether a whole relative path, with `/` between its names, fits. */
  test(path: string): boolean;
}

interface GlobOptions extends Partial<MatchOptions> {
  /** Only paths of files are tried: `a/**` is then what is below `a`, not `a` itself. */
  readonly ofFiles?: boolean;
}

const MAX_PATTERN_CHARS = 4096;

/**
 * Compiles a pattern: `*` any run without `/`, `?` one character, `**` as a whole segment any number of names, `[a-z]`, `[!x]`,
 * `{a,b}`, and `\` before a character that means itself. Throws `ValidationException` for everything that is none.
 */
export const compileGlob = (pattern: string, { dot = false, ignoreCase = false, ofFiles = false }: GlobOptions = {}): Glob => {
  const refuse = (fault: string) => refusal(pattern, fault);
  if (pattern.length > MAX_PATTERN_CHARS) throw refuse(`is longer than ${MAX_PATTERN_CHARS} characters; shorten it`);
  if (pattern.includes('\0')) throw refuse('holds a NUL, which no name can; remove it');
  const options: MatchOptions = { dot, ignoreCase };
  const names: NameTest[] = [];
  const paths: SegmentTest[][] = [];
  for (const form of expandBraces(pattern, refuse)) {
    const segments = parseForm(form, refuse).map((segment) => compileSegment(segment, options));
    if (ofFiles && segments.length > 1 && segments.at(-1) === '**') segments.push(compileSegment([{ kind: 'star' }], options));
    const [only] = segments;
    if (segments.length === 1 && typeof only === 'function') names.push(only);
    else paths.push(segments);
  }
  return {
    hasPath: pattern.includes('/'),
    test(path) {
      const folded = ignoreCase ? foldCase(path) : path;
      const slash = folded.lastIndexOf('/');
      if (slash < 0 && isName(folded) && names.some((test) => test(folded))) return true;
      const base = folded.slice(slash + 1);
      // Most paths are ruled out by their last name alone.
      const likely = paths.filter((segments) => mayEnd(segments.at(-1), base));
      if (likely.length === 0) return false;
      const parts = folded.split('/');
      return parts.every(isName) && likely.some((segments) => matchesPath(segments, parts, options));
    },
  };
};

const mayEnd = (last: SegmentTest | undefined, name: string): boolean => typeof last !== 'function' || last(name);

const isName = (name: string): boolean => name !== '' && name !== '.' && name !== '..';

const refusal = (pattern: string, fault: string) => {
  const shown = pattern.length > 80 ? `${pattern.slice(0, 80)}…` : pattern;
  return new ValidationException(`The pattern ${JSON.stringify(shown)} ${fault}.`, { context: { pattern: shown } });
};
