import { DiffException } from '../../../core/errors.ts';
import { linesOf } from './lines.ts';
import { type Hunk, parsePatch } from './parse-patch.ts';

/** The text after a patch. Old lines must stand exactly where the patch says; where they do not, an error tells the place. */
export const applyPatch = (text: string, patch: string): string => {
  const { hunks, hasCrlf } = parsePatch(patch);
  const dropsCr = hasCrlf && !text.includes('\r\n');
  const old = linesOf(text);
  const result: string[] = [];
  let at = 0;
  const keepUntil = (end: number) => {
    for (; at < end; at += 1) result.push(old[at] ?? '');
  };
  for (const [index, hunk] of hunks.entries()) {
    keepUntil(startOf(hunk, index, at, old.length));
    for (const { kind, text: written } of hunk.lines) {
      const line = dropsCr ? written.replace(/\r(?=\n?$)/, '') : written;
      if (kind !== 'added') {
        if (old[at] !== line) throw differs(index, at, line, old[at] ?? '');
        at += 1;
      }
      if (kind !== 'removed') result.push(line);
    }
  }
  keepUntil(old.length);
  demandLineEnds(result);
  return result.join('');
};

const startOf = ({ oldStart, oldCount }: Hunk, index: number, from: number, lineCount: number): number => {
  const start = oldCount === 0 ? oldStart : oldStart - 1;
  if (start < from) throw misfit(index, start, 'it overlaps the one before it or comes too late');
  if (start + oldCount > lineCount) throw misfit(index, start, `the file has only ${lineCount} lines`);
  return start;
};

/** Only the last line of a file may lack its end. */
const demandLineEnds = (lines: readonly string[]): void => {
  const cut = lines.findIndex((line, at) => at < lines.length - 1 && !line.endsWith('\n'));
  if (cut < 0) return;
  throw new DiffException(`The patch would leave line ${cut + 1} without a line end before other lines; it was made for another file.`, {
    context: { argument: 'patch', line: cut + 1 },
  });
};

const misfit = (index: number, at: number, why: string) =>
  new DiffException(`Hunk ${index + 1} of the patch does not fit at line ${at + 1}: ${why}; the file is untouched.`, {
    context: { argument: 'patch', hunk: index + 1, line: at + 1 },
  });

const differs = (index: number, at: number, expected: string, found: string) => {
  const why =
    withoutEnd(expected) === withoutEnd(found)
      ? 'the line there ends differently'
      : `${shown(expected)} was expected there, not ${shown(found)}`;
  return misfit(index, at, why);
};

const withoutEnd = (line: string): string => line.replace(/\r?\n?$/, '');

const shown = (line: string): string => JSON.stringify(withoutEnd(line).slice(0, 60));
