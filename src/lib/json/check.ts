import { addKey, type Level } from './level.ts';
import { visible } from './locate.ts';
import { endOfNumber, endOfString, isDigit } from './scalars.ts';
import { refuse, type Source } from './source.ts';
import { refuseColon, refuseKey, refuseNext, refuseRest, refuseValue } from './unexpected.ts';

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

const MAX_SHOWN_KEY = 40;

/** How far a text has been checked. */
export interface Checked {
  /** The arrays and objects that are open around the place, but for the innermost. */
  readonly outer: Level[];
  /** The innermost one. */
  level: Level | undefined;
  /** Where the next value starts, or in an object the next key. */
  at: number;
  isDone: boolean;
}

/** Refuses a text that is not strict JSON: one pass without recursion, building nothing, so that a hostile text costs little. */
export const checkStrict = (source: Source, maxDepth: number): void => {
  checkOn(source, maxDepth, beginCheck(source), Number.POSITIVE_INFINITY);
};

export const beginCheck = ({ text }: Source): Checked => ({ outer: [], level: undefined, at: skipSpace(text, 0), isDone: false });

/** Goes on from where a check stood, to its end or behind the first comma from `pauseAt` on. */
export const checkOn = (source: Source, maxDepth: number, checked: Checked, pauseAt: number): void => {
  const { text } = source;
  const { outer } = checked;
  let { level, at } = checked;
  if (level !== undefined) at = startOfValue(source, at, level);
  for (;;) {
    const first = text.charCodeAt(at);
    if (first === OPEN_ARRAY || first === OPEN_OBJECT) {
      if (level !== undefined) outer.push(level);
      if (outer.length >= maxDepth) refuseDepth(source, at, maxDepth);
      level = openLevel(first, at);
      at = skipSpace(text, at + 1);
      if (text.charCodeAt(at) !== level.close) {
        at = startOfValue(source, at, level);
        continue;
      }
    } else {
      at = skipSpace(text, endOfScalar(source, at, level));
    }
    while (level !== undefined && text.charCodeAt(at) === level.close) {
      level = outer.pop();
      at = skipSpace(text, at + 1);
    }
    if (level === undefined) break;
    if (text.charCodeAt(at) !== COMMA) refuseNext(source, at, level);
    const isPause = at >= pauseAt;
    at = skipSpace(text, at + 1);
    if (isPause) {
      checked.level = level;
      checked.at = at;
      return;
    }
    at = startOfValue(source, at, level);
  }
  if (at < text.length) refuseRest(source, at);
  checked.at = at;
  checked.isDone = true;
};

const skipSpace = (text: string, start: number): number => {
  for (let at = start; ; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit !== SPACE && unit !== LINE_FEED && unit !== CARRIAGE_RETURN && unit !== TAB) return at;
  }
};

const openLevel = (first: number, offset: number): Level =>
  first === OPEN_ARRAY
    ? { kind: 'array', offset, close: CLOSE_ARRAY, keys: [] }
    : { kind: 'object', offset, close: CLOSE_OBJECT, keys: [] };

/** In an object a value comes after its key and a colon. */
const startOfValue = (source: Source, at: number, level: Level): number => {
  if (level.kind === 'array') return at;
  const { text } = source;
  if (text.charCodeAt(at) !== QUOTE) refuseKey(source, at, level);
  const end = endOfString(source, at);
  const written = text.slice(at + 1, end - 1);
  const key = written.includes('\\') ? String(JSON.parse(text.slice(at, end))) : written;
  if (!addKey(level, key)) refuseDuplicate(source, at, key);
  const colon = skipSpace(text, end);
  if (text.charCodeAt(colon) !== COLON) refuseColon(source, colon, level);
  return skipSpace(text, colon + 1);
};

const endOfScalar = (source: Source, at: number, level: Level | undefined): number => {
  const { text } = source;
  const first = text.charCodeAt(at);
  if (first === QUOTE) return endOfString(source, at);
  if (first === MINUS || isDigit(first)) return endOfNumber(source, at);
  if (text.startsWith('true', at) || text.startsWith('null', at)) return at + 4;
  if (text.startsWith('false', at)) return at + 5;
  return refuseValue(source, at, level);
};

const refuseDepth = (source: Source, at: number, maxDepth: number): never =>
  refuse(source, at, { reason: 'depth', words: `arrays and objects are nested more than ${maxDepth} levels deep; make the text flatter` });

const refuseDuplicate = (source: Source, at: number, key: string): never => {
  const shown = visible(key.length > MAX_SHOWN_KEY ? `${key.slice(0, MAX_SHOWN_KEY)}…` : key);
  return refuse(source, at, { reason: 'duplicate_key', words: `the key "${shown}" stands twice in this object; keep one of them` });
};
