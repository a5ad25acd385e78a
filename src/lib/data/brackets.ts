import { indentAt, isFirstOnLine, skipLineBreak, startOfLine } from './lines.ts';
import type { Splice } from './splice.ts';

/** A place in a text, its end not included. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** Values between brackets, parted by commas, in a language that has comments. */
export interface Bracketed extends Span {
  readonly children: { readonly length: number; at(index: number): Span | undefined };
}

/** How a language writes what has no meaning. */
export interface Trivia {
  /** The offset behind white space and comments. */
  skip(text: string, from: number): number;
  /** The same, but not past the line break that ends the line of `from`. */
  skipLine(text: string, from: number): number;
}

/** What has no meaning in a language that writes comments so: `endOfComment` answers `at` itself where none begins. */
export const triviaWith = (endOfComment: (text: string, at: number) => number): Trivia => {
  const skipWhile = (isSkipped: (unit: number) => boolean) => (text: string, from: number) => {
    for (let at = from; ; ) {
      const next = isSkipped(text.charCodeAt(at)) ? at + 1 : endOfComment(text, at);
      if (next === at) return at;
      at = next;
    }
  };
  const isBlank = (unit: number) => unit === SPACE || unit === TAB;
  return { skip: skipWhile((unit) => isBlank(unit) || unit === LINE_FEED || unit === CARRIAGE_RETURN), skipLine: skipWhile(isBlank) };
};

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;

/** How a new child looks. */
export interface NewChild {
  readonly text: string;
  /** What stands behind a comma on the same line. */
  readonly gap: string;
  /** Given where the child gets a line of its own. */
  readonly spread?: { readonly eol: string; readonly unit: string } | undefined;
}

/** Whether a child begins a line of its own: with such children a container is written one child a line. */
export const isOnOwnLine = (text: string, { start, children }: Bracketed, index: number): boolean => {
  const child = children.at(index);
  return child !== undefined && text.slice(before(children, index)?.end ?? start, child.start).includes('\n');
};

const before = (children: Bracketed['children'], index: number): Span | undefined => (index > 0 ? children.at(index - 1) : undefined);

/** The indentation that a new child gets on a line of its own. */
export const childIndent = (text: string, container: Bracketed, unit: string): string => {
  const last = lastOf(container);
  if (last !== undefined && isOnOwnLine(text, container, container.children.length - 1)) return indentAt(text, last.start);
  return `${indentAt(text, container.start)}${unit}`;
};

/** Adds a child behind the last one. */
export const insertChild = (text: string, container: Bracketed, trivia: Trivia, child: NewChild): Splice[] => {
  const { spread, gap } = child;
  const last = lastOf(container);
  if (last === undefined) return fillEmpty(text, container, child);
  const commaAt = trivia.skip(text, last.end);
  const hasComma = text[commaAt] === ',';
  const comma: Splice = { at: last.end, remove: 0, insert: hasComma ? '' : ',' };
  const behind = hasComma ? commaAt + 1 : last.end;
  const added = hasComma ? `${child.text},` : child.text;
  if (spread === undefined) return [comma, { at: behind, remove: 0, insert: `${gap}${added}` }];
  // Behind the comments that share the line, before the spaces that end it.
  const lineEnd = behind + text.slice(behind, trivia.skipLine(text, behind)).trimEnd().length;
  return [comma, { at: lineEnd, remove: 0, insert: `${spread.eol}${childIndent(text, container, spread.unit)}${added}` }];
};

/** Removes a child with its comma; comments on lines of their own stay. */
export const removeChild = (text: string, { start, end, children }: Bracketed, trivia: Trivia, index: number): Splice[] => {
  const child = children.at(index);
  if (child === undefined) return [];
  const previous = before(children, index);
  const commaAt = trivia.skip(text, child.end);
  const hasComma = text[commaAt] === ',';
  const childEnd = hasComma ? commaAt + 1 : child.end;
  const isBare = text.slice(start + 1, child.start).trim() === '' && text.slice(childEnd, end - 1).trim() === '';
  if (children.length === 1 && isBare) return [cut(start + 1, end - 1)];

  // The last child goes with the comma before it, unless the text likes idle commas.
  const isLast = index === children.length - 1;
  const loneComma = isLast && !hasComma && previous !== undefined ? trivia.skip(text, previous.end) : undefined;
  const lines = wholeLines(text, child.start, childEnd, trivia);
  if (lines !== undefined) return loneComma === undefined ? [lines] : [cut(loneComma, loneComma + 1), lines];
  if (loneComma === undefined)
    return [isLast ? cut(startOfSpaces(text, child.start), childEnd) : cut(child.start, childEnd + spacesAt(text, childEnd))];
  if (text.slice(loneComma + 1, child.start).trim() === '') return [cut(loneComma, child.end)];
  return [cut(loneComma, loneComma + 1), cut(child.start, child.end)];
};

const lastOf = ({ children }: Bracketed): Span | undefined => children.at(children.length - 1);

const fillEmpty = (text: string, container: Bracketed, { text: added, spread }: NewChild): Splice[] => {
  const { start, end } = container;
  const inside = text.slice(start + 1, end - 1);
  const comments = inside.trimEnd();
  // Before comments: one that runs to the end of its line must not swallow the child.
  if (spread === undefined) return [{ at: start + 1, remove: comments === '' ? inside.length : 0, insert: added }];
  const lines = `${spread.eol}${childIndent(text, container, spread.unit)}${added}${spread.eol}${indentAt(text, start)}`;
  return [{ at: start + 1 + comments.length, remove: inside.length - comments.length, insert: lines }];
};

/** The lines from `start` to `end` with the comments that end the last of them, where nothing else stands there. */
const wholeLines = (text: string, start: number, end: number, trivia: Trivia): Splice | undefined => {
  const rest = trivia.skipLine(text, end);
  const next = skipLineBreak(text, rest);
  return isFirstOnLine(text, start) && next > rest ? cut(startOfLine(text, start), next) : undefined;
};

const spacesAt = (text: string, at: number): number => /^[ \t]*/.exec(text.slice(at, at + 64))?.[0].length ?? 0;

const startOfSpaces = (text: string, at: number): number => at - (/[ \t]*$/.exec(text.slice(Math.max(0, at - 64), at))?.[0].length ?? 0);

const cut = (from: number, to: number): Splice => ({ at: from, remove: to - from, insert: '' });
