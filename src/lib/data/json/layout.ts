import { type Bracketed, isOnOwnLine } from '../brackets.ts';
import { indentAt, lineBreakOf } from '../lines.ts';
import type { JsonNode } from './node.ts';
import { skipTrivia } from './trivia.ts';

/** How a document is laid out, so that new text looks like its neighbours. */
export interface Layout {
  readonly eol: string;
  /** One level of indentation. */
  readonly unit: string;
  /** What stands behind a colon and a comma that share a line with what follows. */
  readonly gaps: { readonly colon: string; readonly comma: string };
}

const DEFAULT_UNIT = '  ';

/** Reads the layout off a document. */
export const layoutOf = (text: string, root: JsonNode): Layout => {
  const onOwnLine = firstOnOwnLine(text, bracketed(root));
  const indent = onOwnLine === undefined ? '' : indentAt(text, onOwnLine.start).slice(indentAt(text, root.start).length);
  return { eol: lineBreakOf(text), unit: indent === '' ? DEFAULT_UNIT : indent, gaps: gapsOf(text, root) };
};

const firstOnOwnLine = (text: string, place: Bracketed) => {
  // Most texts of one line have none at all.
  if (!text.slice(place.start, place.end).includes('\n')) return undefined;
  for (let index = 0; index < place.children.length; index += 1) if (isOnOwnLine(text, place, index)) return place.children.at(index);
  return undefined;
};

/** A container as the room of brackets sees it. */
export const bracketed = (node: JsonNode): Bracketed => ({ start: node.start, end: node.end, children: node.children() });

/** Whether a new child gets its own line. An empty container looks like the one around it; an empty document is free to look good. */
export const isSpread = (text: string, trail: readonly JsonNode[]): boolean => {
  const model = trail.findLast(({ size }) => size > 0);
  return model === undefined || isOnOwnLine(text, bracketed(model), model.size - 1);
};

/** A value as text: over several lines from the given indentation on, or on one line with the document's gaps. */
export const formatValue = (value: unknown, { eol, unit, gaps }: Layout, spread: { readonly indent: string } | undefined): string =>
  spread === undefined ? onOneLine(value, gaps) : JSON.stringify(value, null, unit).replaceAll('\n', `${eol}${spread.indent}`);

const onOneLine = (value: unknown, gaps: Layout['gaps']): string => {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => onOneLine(item, gaps)).join(`,${gaps.comma}`)}]`;
  return `{${Object.entries(value)
    .map(([key, item]) => `${JSON.stringify(key)}:${gaps.colon}${onOneLine(item, gaps)}`)
    .join(`,${gaps.comma}`)}}`;
};

/** The gaps of the outermost members; without any, none in a text of one line, else one space. */
const gapsOf = (text: string, root: JsonNode): Layout['gaps'] => {
  const usual = text.trim().includes('\n') || root.size === 0 ? ' ' : '';
  const first = root.children().at(0);
  const second = root.children().at(1);
  if (first === undefined) return { colon: usual, comma: usual };
  const colon = !first.isMember ? usual : spaceIn(text.slice(text.lastIndexOf(':', first.node.start) + 1, first.node.start), usual);
  const comma = second === undefined ? colon : spaceIn(text.slice(skipTrivia(text, first.node.end) + 1, second.start), colon);
  return { colon, comma };
};

/** One space or none, as it stands between two tokens of a line. */
const spaceIn = (between: string, usual: string): string => (/^ *$/.test(between) ? between.slice(0, 1) : usual);
