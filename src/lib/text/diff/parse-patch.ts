import { DiffException } from '../../../core/errors.ts';

/** One line of a hunk with its line end, which the last line of a file may lack. */
export interface HunkLine {
  readonly kind: 'same' | 'removed' | 'added';
  text: string;
}

/** A stretch of changes: the old lines from `oldStart` (from 1; with `oldCount` 0 the line before it) become the new ones. */
export interface Hunk {
  readonly oldStart: number;
  readonly oldCount: number;
  readonly lines: readonly HunkLine[];
}

/** A patch for one file. */
export interface Patch {
  readonly hunks: readonly Hunk[];
  /** The patch itself has CRLF line ends, so a CR at the end of its lines may not belong to the file. */
  readonly hasCrlf: boolean;
}

const HEADER = /^@@ -(\d{1,10})(?:,(\d{1,10}))? \+(\d{1,10})(?:,(\d{1,10}))? @@/;
const KINDS: ReadonlyMap<string, HunkLine['kind']> = new Map([
  [' ', 'same'],
  ['-', 'removed'],
  ['+', 'added'],
]);

/** Reads a unified diff of one file. How long a hunk is, its header says: a removed line may itself look like a header. */
export const parsePatch = (text: string): Patch => {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const hunks: Hunk[] = [];
  let hasCrlf = false;
  let files = 0;
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? '';
    const header = HEADER.exec(line);
    if (header !== null) {
      hasCrlf ||= line.endsWith('\r');
      const [, oldStart, oldCount = '1', , newCount = '1'] = header;
      const { body, next } = readBody(lines, at + 1, Number(oldCount), Number(newCount));
      hunks.push({ oldStart: Number(oldStart), oldCount: Number(oldCount), lines: body });
      at = next;
      continue;
    }
    if (line.startsWith('@@')) throw broken(at, 'the header of a hunk must look like @@ -1,3 +1,4 @@');
    if (/^-- ?\r?$/.test(line) && hunks.length > 0) break; // a mail's signature
    if (line.startsWith('--- ') && lines[at + 1]?.startsWith('+++ ')) {
      files += 1;
      if (files > 1) throw broken(at, 'a second file begins here, and a patch is for one');
      at += 2;
      continue;
    }
    if (hunks.length > 0 && KINDS.has(line.charAt(0))) throw broken(at, 'the hunk before has more lines than its header says');
    at += 1;
  }
  if (hunks.length === 0 && text.trim() !== '')
    throw new DiffException('The patch holds no hunk; give the text of a unified diff.', { context: { argument: 'patch' } });
  return { hunks, hasCrlf };
};

const readBody = (
  lines: readonly string[],
  from: number,
  oldCount: number,
  newCount: number,
): { readonly body: HunkLine[]; readonly next: number } => {
  const body: HunkLine[] = [];
  let [oldLeft, newLeft, at] = [oldCount, newCount, from];
  for (; oldLeft > 0 || newLeft > 0 || isMarker(lines[at]); at += 1) {
    const line = lines[at];
    if (line === undefined) throw broken(at, 'the patch ends inside a hunk');
    const last = body.at(-1);
    if (isMarker(line) && last?.text.endsWith('\n')) {
      last.text = last.text.slice(0, -1);
      continue;
    }
    // Some programs strip the blank of an empty line.
    const kind = line === '' || line === '\r' ? 'same' : KINDS.get(line.charAt(0));
    if (kind === undefined) throw broken(at, 'a line of a hunk must begin with a blank, + or -');
    if (kind !== 'added') oldLeft -= 1;
    if (kind !== 'removed') newLeft -= 1;
    if (oldLeft < 0 || newLeft < 0) throw broken(at, 'the hunk has more lines of one side than its header says');
    body.push({ kind, text: `${line === '\r' ? line : line.slice(1)}\n` });
  }
  return { body, next: at };
};

/** `\ No newline at end of file`, in whatever language. */
const isMarker = (line: string | undefined): boolean => line?.startsWith('\\') === true;

const broken = (at: number, why: string) =>
  new DiffException(`The patch is broken at its line ${at + 1}: ${why}.`, { context: { argument: 'patch', line: at + 1 } });
