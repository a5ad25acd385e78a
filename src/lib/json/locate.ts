/** A place in a text, with its line made fit for a terminal: print `text`, then a caret below column `pointer`. */
export interface Place {
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1, in characters: an emoji is one. */
  readonly column: number;
  /** The line in visible characters, cut around the place where it is long. */
  readonly text: string;
  /** The column inside `text`, counted from 1. */
  readonly pointer: number;
}

const MAX_WIDTH = 120;
const MIN_WIDTH_AFTER = 40;
const ELLIPSIS = '…';
const CONTENT_WIDTH = MAX_WIDTH - 2 * ELLIPSIS.length;

/** Finds line and column of an offset, which counts as a string index does. */
export const locate = (text: string, offset: number): Place => {
  const at = Math.min(Math.max(offset, 0), text.length);
  const start = at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
  const end = endOfLine(text, at);
  return {
    line: countLineBreaks(text, start) + 1,
    column: countCharacters(text.slice(start, at)) + 1,
    ...cutLine(text, { start, at, end }),
  };
};

/** Replaces characters that are invisible or steer a terminal by their escapes, so that text from outside can be shown. */
export const visible = (text: string): string => text.replace(/\p{C}|(?! )\p{Z}/gu, escapeCharacter);

const escapeCharacter = (character: string): string => {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
};

const endOfLine = (text: string, at: number): number => {
  const lineFeed = text.indexOf('\n', at);
  const end = lineFeed === -1 ? text.length : lineFeed;
  return end > at && text[end - 1] === '\r' ? end - 1 : end;
};

const countLineBreaks = (text: string, end: number): number => {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
};

const countCharacters = (text: string): number => {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
};

const cutLine = (text: string, { start, at, end }: { start: number; at: number; end: number }): { text: string; pointer: number } => {
  // A character takes two string units at most, so nothing beyond these windows can be shown.
  const before = [...text.slice(Math.max(start, at - 2 * MAX_WIDTH), at)].map(show).reverse();
  const after = [...text.slice(at, Math.min(end, at + 2 * MAX_WIDTH))].map(show);
  const left = take(before, CONTENT_WIDTH - take(after, MIN_WIDTH_AFTER).width);
  const right = take(after, CONTENT_WIDTH - left.width);
  const head = left.pieces.length < before.length ? ELLIPSIS : '';
  const tail = right.pieces.length < after.length ? ELLIPSIS : '';
  return { text: head + left.pieces.reverse().join('') + right.pieces.join('') + tail, pointer: head.length + left.width + 1 };
};

// Tabs mostly indent: one space keeps such lines readable and the caret in its column.
const show = (character: string): string => (character === '\t' ? ' ' : visible(character));

const take = (pieces: readonly string[], maxWidth: number): { pieces: string[]; width: number } => {
  const taken: string[] = [];
  let width = 0;
  for (const piece of pieces) {
    const pieceWidth = countCharacters(piece);
    if (width + pieceWidth > maxWidth) break;
    taken.push(piece);
    width += pieceWidth;
  }
  return { pieces: taken, width };
};
