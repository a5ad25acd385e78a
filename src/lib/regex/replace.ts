import type { LinearRegex } from './compile.ts';
import type { Replacement } from './replacement.ts';

/** A text to replace matches in, which may be a part of a longer one. */
export interface Stretch {
  readonly text: string;
  /** Matches that start before this place are not ours: it is there for what it shows to the pattern. */
  readonly from: number;
  /** Nothing comes after: an empty match at the very end is ours. */
  readonly isLast: boolean;
  /** Most replacements. */
  readonly most: number;
}

/** The stretch from `from` on with matches replaced: one piece per replacement, which ends with it; then the rest as the result. */
export function* replaceMatches(
  regex: LinearRegex,
  replacement: Replacement,
  { text, from, isLast, most }: Stretch,
): Generator<string, string> {
  let at = from;
  let done = 0;
  for (const match of regex.matches(text)) {
    if (match.start < from || (match.start === text.length && !isLast)) continue;
    yield text.slice(at, match.start) + replacement(match);
    at = match.end;
    done += 1;
    if (done >= most) break;
  }
  return text.slice(at);
}
