import { isFirstOnLine, skipLineBreak, startOfLine } from '../lines.ts';
import type { Splice } from '../splice.ts';
import type { BlockValue } from './render.ts';
import type { Slot } from './slots.ts';

/** What shapes a block edit beside the slots. */
export interface BlockContext {
  readonly text: string;
  readonly eol: string;
}

/** What a value is written as. */
export type ValueForm = 'inline' | 'block scalar' | 'block collection';

/** The indentation of the members or items of a block: as far in as the first one. */
export const blockIndent = (text: string, slot: Slot | undefined): string =>
  slot === undefined ? '' : ' '.repeat(slot.start - startOfLine(text, slot.start));

/** Adds lines behind the last slot of a block. */
export const insertLines = ({ text, eol }: BlockContext, last: Slot, lines: readonly string[]): Splice[] => [
  linesAt(text, endOfLines(text, last.end), lines, eol),
];

/** Puts lines at the end of a text. */
export const appendLines = ({ text, eol }: BlockContext, lines: readonly string[]): Splice[] => [linesAt(text, text.length, lines, eol)];

/** Puts another value into a slot; comments on the line of its key stay. */
export const replaceValue = ({ text, eol }: BlockContext, slot: Slot, form: ValueForm, { head, body }: BlockValue): Splice[] => {
  const { indicatorEnd, valueStart, end } = slot;
  const indicator = slot.hasIndicator ? '' : ':';
  const headSplice: Splice = { at: indicatorEnd, remove: 0, insert: `${indicator}${head === '' ? '' : ` ${head}`}` };
  const isEmpty = valueStart === indicatorEnd;
  if (isEmpty) return [headSplice, linesAt(text, endOfLines(text, indicatorEnd), body, eol)];

  const isBelow = text.slice(indicatorEnd, valueStart).includes('\n');
  if (form === 'inline' && body.length === 0 && head !== '') return [{ at: valueStart, remove: end - valueStart, insert: head }];
  if (isBelow) {
    const from = startOfLine(text, valueStart);
    const to = endOfLines(text, end);
    return [headSplice, { at: from, remove: to - from, insert: joined(text, to, body, eol) }];
  }
  const from = head === '' ? indicatorEnd : valueStart;
  if (form === 'inline') return [{ at: from, remove: end - from, insert: head }, linesAt(text, endOfLines(text, end), body, eol)];
  if (form === 'block scalar') {
    const header = /[|>][-+0-9]*/.exec(text.slice(valueStart, end));
    const headerEnd = valueStart + (header === null ? 0 : header.index + header[0].length);
    const bodyStart = endOfLines(text, headerEnd);
    return [
      { at: from, remove: headerEnd - from, insert: head },
      { at: bodyStart, remove: Math.max(0, end - bodyStart), insert: joined(text, end, body, eol) },
    ];
  }
  return [{ at: from, remove: end - from, insert: joined(text, end, [head, ...body], eol) }];
};

/** Removes one slot of several; comments on lines of their own stay. */
export const removeSlot = ({ text }: BlockContext, { start, end }: Slot): Splice[] => {
  const to = endOfLines(text, end);
  if (!isFirstOnLine(text, start)) {
    // The first of a block that begins behind a dash: the next one takes its place on that line.
    const rest = text.slice(to);
    return [{ at: start, remove: to - start + (rest.length - rest.trimStart().length), insert: '' }];
  }
  const from = startOfLine(text, start);
  const isUnfinished = to === text.length && !text.endsWith('\n');
  const lineBreak = isUnfinished && from > 0 ? (text[from - 2] === '\r' ? 2 : 1) : 0;
  return [{ at: from - lineBreak, remove: to - from + lineBreak, insert: '' }];
};

/** Behind the line break of the line on which something ends; its own last line break counts. */
const endOfLines = (text: string, end: number): number => {
  if (end > 0 && text[end - 1] === '\n') return end;
  const lineBreak = text.slice(end).search(/\r?\n/);
  return lineBreak === -1 ? text.length : skipLineBreak(text, end + lineBreak);
};

/** New lines at the beginning of a line, or behind a last line that has no line break. */
const linesAt = (text: string, at: number, lines: readonly string[], eol: string): Splice => {
  if (lines.length === 0) return { at, remove: 0, insert: '' };
  const isFresh = at === 0 || text[at - 1] === '\n';
  return { at, remove: 0, insert: isFresh ? lines.map((line) => `${line}${eol}`).join('') : `${eol}${lines.join(eol)}` };
};

/** Lines in the place of others that ended at `end`: with a last line break if those had one. */
const joined = (text: string, end: number, lines: readonly string[], eol: string): string =>
  lines.length === 0 ? '' : `${lines.join(eol)}${text[end - 1] === '\n' ? eol : ''}`;
