import type { TreeNode } from '../tree-edit.ts';
import { skipTrivia } from './trivia.ts';

/** A value of a checked JSON text: where it stands, and its children once somebody asks. */
export interface JsonNode extends TreeNode<JsonNode> {
  readonly start: number;
  readonly end: number;
  children(): JsonChildren;
}

/** The members of an object or the items of an array: places in the text, since there may be millions and mostly one is wanted. */
export interface JsonChildren {
  readonly length: number;
  at(index: number): JsonChild | undefined;
  /** The place of the member of that name; -1 where there is none. */
  find(key: string): number;
}

/** A member of an object or an item of an array. */
export interface JsonChild {
  /** Where the member begins: at its key, or at the item itself. */
  readonly start: number;
  readonly end: number;
  readonly isMember: boolean;
  readonly node: JsonNode;
}

/** Where values end that were found to be long, by where they start. */
export type LongValues = ReadonlyMap<number, number>;

const NONE: JsonChildren = { length: 0, at: () => undefined, find: () => -1 };
const SCALAR_END = /[\s,\]}/]|$/g;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** The value at `from` or behind the white space there, of a text that `checkDocument` let pass. Only containers that are asked are looked into. */
export const jsonNode = (text: string, from: number, longValues: LongValues): JsonNode => {
  const start = skipTrivia(text, from);
  return nodeAt(text, start, longValues.get(start) ?? endOfValue(text, start), longValues);
};

const nodeAt = (text: string, start: number, end: number, longValues: LongValues): JsonNode => {
  const first = text[start];
  const kind = first === '{' ? 'map' : first === '[' ? 'list' : first === 'n' ? 'null' : 'scalar';
  let known: JsonChildren | undefined;
  const children = () => (known ??= kind === 'map' || kind === 'list' ? childrenOf(text, start, longValues) : NONE);
  return {
    kind,
    start,
    end,
    children,
    get size() {
      return children().length;
    },
    member: (key) => (kind === 'map' ? children().at(children().find(key))?.node : undefined),
    item: (index) => (kind === 'list' ? children().at(index)?.node : undefined),
  };
};

const childrenOf = (text: string, container: number, longValues: LongValues): JsonChildren => {
  const starts: number[] = [];
  const valueStarts: number[] = [];
  const ends: number[] = [];
  const isMap = text.charCodeAt(container) === OPEN_OBJECT;
  for (let at = skipTrivia(text, container + 1); ; ) {
    const unit = text.charCodeAt(at);
    if (unit === CLOSE_OBJECT || unit === CLOSE_ARRAY) break;
    const valueStart = isMap ? skipTrivia(text, skipTrivia(text, endOfString(text, at)) + 1) : at;
    const end = longValues.get(valueStart) ?? endOfValue(text, valueStart);
    starts.push(at);
    valueStarts.push(valueStart);
    ends.push(end);
    at = skipTrivia(text, end);
    if (text.charCodeAt(at) === COMMA) at = skipTrivia(text, at + 1);
  }
  return {
    length: starts.length,
    at(index) {
      const [start, valueStart, end] = [starts[index], valueStarts[index], ends[index]];
      if (start === undefined || valueStart === undefined || end === undefined) return undefined;
      return { start, end, isMember: isMap, node: nodeAt(text, valueStart, end, longValues) };
    },
    find: (key) => (isMap ? starts.findIndex((start) => isKey(text, start, key)) : -1),
  };
};

/** Whether the string at `start` means this key; most are written as they are. */
const isKey = (text: string, start: number, key: string): boolean => {
  const behind = start + 1 + key.length;
  if (text.startsWith(key, start + 1) && text.charCodeAt(behind) === QUOTE && !key.includes('\\')) return true;
  const end = endOfString(text, start);
  const written = text.slice(start, end);
  return written.includes('\\') && JSON.parse(written) === key;
};

/** The offset behind the value that begins at `start`. */
export const endOfValue = (text: string, start: number): number => {
  let depth = 0;
  for (let at = start; ; at = skipTrivia(text, at)) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) at = endOfString(text, at);
    else if (unit === OPEN_OBJECT || unit === OPEN_ARRAY) {
      depth += 1;
      at += 1;
    } else if (unit === CLOSE_OBJECT || unit === CLOSE_ARRAY) {
      depth -= 1;
      at += 1;
    } else if (unit === COMMA || unit === COLON) at += 1;
    else at = endOfScalar(text, at);
    if (depth === 0 || at >= text.length) return at;
  }
};

/** The offset behind the string that begins at `start`. */
export const endOfString = (text: string, start: number): number => {
  for (let at = start + 1; ; ) {
    const quote = text.indexOf('"', at);
    if (quote === -1) return text.length;
    let slashes = quote;
    // Those before `at` belong to a quote that was passed.
    while (slashes > at && text.charCodeAt(slashes - 1) === BACKSLASH) slashes -= 1;
    if ((quote - slashes) % 2 === 0) return quote + 1;
    at = quote + 1;
  }
};

const endOfScalar = (text: string, start: number): number => {
  SCALAR_END.lastIndex = start;
  return SCALAR_END.exec(text)?.index ?? text.length;
};
