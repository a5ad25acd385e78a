import { sep } from 'node:path';
import { cutText } from './cut-text.ts';
import type { Harvest } from './harvest.ts';

/** A line that matches. */
export interface GrepMatch {
  readonly path: string;
  readonly line: number;
  readonly text: string;
  readonly before?: readonly string[];
  readonly after?: readonly string[];
}

/** Unpacks a harvest behind the matches there are. `shown` is the root as the caller calls it. */
export const addMatches = (matches: GrepMatch[], harvest: Harvest, shown: string, maxLineChars: number): void => {
  const { paths, counts, lines, ends, surroundings } = harvest;
  const root = shown.endsWith(sep) ? shown : shown + sep;
  const textAt = reader(harvest);
  let at = 0;
  let start = 0;
  for (const [index, relative] of paths.entries()) {
    const path = root + (sep === '/' ? relative : relative.replaceAll('/', sep));
    for (const last = at + (counts[index] ?? 0); at < last; at += 1) {
      const end = ends[at] ?? 0;
      const text = cutText(textAt(start, end), maxLineChars);
      const line = lines[at] ?? 0;
      const around = surroundings[at];
      matches.push(around === undefined ? { path, line, text } : { path, line, text, ...around });
      start = end;
    }
  }
};

/** Reads stretches of the text: parts of one string where bytes and characters are the same. */
const reader = ({ text, isAscii }: Harvest): ((start: number, end: number) => string) => {
  const bytes = Buffer.from(text.buffer, text.byteOffset, text.byteLength);
  if (!isAscii) return (start, end) => bytes.toString('utf8', start, end);
  const whole = bytes.toString('latin1');
  return (start, end) => whole.slice(start, end);
};
