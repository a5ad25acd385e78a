import { cutText } from './cut-text.ts';
import { type Harvest, pathsOf } from './harvest.ts';

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
  const { fileEnds, lines, ends, text, surroundings } = harvest;
  const paths = pathsOf(harvest, shown);
  const bytes = Buffer.from(text.buffer, text.byteOffset, text.byteLength);
  // Where bytes and characters are the same, each text is a part of one string and costs no copy.
  const open: Opened = { lines, ends, surroundings, bytes, whole: harvest.isAscii ? bytes.toString('latin1') : undefined, maxLineChars };
  let from = 0;
  for (const [file, to] of fileEnds.entries()) {
    addFile(matches, open, { path: paths[file] ?? '', from, to });
    from = to;
  }
};

interface Opened extends Pick<Harvest, 'lines' | 'ends' | 'surroundings'> {
  readonly bytes: Buffer;
  readonly whole: string | undefined;
  readonly maxLineChars: number;
}

const addFile = (
  matches: GrepMatch[],
  { lines, ends, surroundings, bytes, whole, maxLineChars }: Opened,
  { path, from, to }: { readonly path: string; readonly from: number; readonly to: number },
): void => {
  let start = from === 0 ? 0 : (ends[from - 1] ?? 0);
  for (let at = from; at < to; at += 1) {
    const end = ends[at] ?? 0;
    const read = whole === undefined ? bytes.toString('utf8', start, end) : whole.slice(start, end);
    const text = read.length > maxLineChars ? cutText(read, maxLineChars) : read;
    const line = lines[at] ?? 0;
    matches.push(surroundings.length === 0 ? { path, line, text } : { path, line, text, ...surroundings[at] });
    start = end;
  }
};
