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
  const { paths, counts, lines, ends, text: packed, isAscii, surroundings } = harvest;
  const root = shown.endsWith(sep) ? shown : shown + sep;
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  // Where bytes and characters are the same, each text is a part of one string and costs no copy.
  const whole = isAscii ? bytes.toString('latin1') : undefined;
  let at = 0;
  let start = 0;
  for (const [index, relative] of paths.entries()) {
    const path = root + (sep === '/' ? relative : relative.replaceAll('/', sep));
    for (const last = at + (counts[index] ?? 0); at < last; at += 1) {
      const end = ends[at] ?? 0;
      const read = whole === undefined ? bytes.toString('utf8', start, end) : whole.slice(start, end);
      const text = read.length > maxLineChars ? cutText(read, maxLineChars) : read;
      const line = lines[at] ?? 0;
      const around = surroundings[at];
      matches.push(around === undefined ? { path, line, text } : { path, line, text, ...around });
      start = end;
    }
  }
};
