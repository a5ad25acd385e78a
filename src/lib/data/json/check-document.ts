import { addKey, type Level } from '../../json/level.ts';
import { visible } from '../../json/locate.ts';
import { endOfNumber, endOfString } from '../../json/scalars.ts';
import { refuse, type Source } from '../../json/source.ts';
import { refuseColon, refuseKey, refuseNext, refuseRest, refuseValue } from '../../json/unexpected.ts';
import type { LongValues } from './node.ts';
import { skipTrivia } from './trivia.ts';

/** What a reader of a checked document may rely on. */
export interface Findings {
  /** Comments or commas before a closing bracket occur: JSON.parse would refuse the text. */
  readonly hasExtras: boolean;
  /** Numbers occur that a double would round or lose. */
  readonly hasUnsafeNumbers: boolean;
  /** So that a way through nested values does not read the same text at every level. */
  readonly longValues: LongValues;
}

const MAX_DEPTH = 1_000;
const MAX_SHOWN_KEY = 40;
/** Shorter values are read again when somebody asks. */
const MIN_LONG_VALUE = 64 * 1024;
/** No number is unsafe in fewer characters, unless it has an exponent. */
const MIN_UNSAFE_LENGTH = 16;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Refuses a document that is not JSON, where comments and a comma before a closing bracket may stand as editors allow them, and numbers may
 * be as long as they like. One pass without recursion.
 */
export const checkDocument = (source: Source): Findings => {
  const { text } = source;
  const outer: Level[] = [];
  const longValues = new Map<number, number>();
  let hasExtras = false;
  let hasUnsafeNumbers = false;
  let level: Level | undefined;

  const next = (from: number): number => {
    const at = skipTrivia(text, from);
    if (!hasExtras && at > from + 1 && text.slice(from, at).includes('/')) hasExtras = true;
    if (text.startsWith('/*', at)) refuse(source, at, { reason: 'unfinished', words: 'this comment is never closed; end it with */' });
    return at;
  };

  /** In an object a value comes after its key and a colon. */
  const startOfValue = (at: number, inside: Level): number => {
    if (inside.kind === 'array') return at;
    if (text.charCodeAt(at) !== QUOTE) refuseKey(source, at, inside);
    const end = endOfString(source, at);
    const written = text.slice(at + 1, end - 1);
    const key = written.includes('\\') ? String(JSON.parse(text.slice(at, end))) : written;
    if (!addKey(inside, key)) refuseDuplicate(source, at, key);
    const colon = next(end);
    if (text.charCodeAt(colon) !== COLON) refuseColon(source, colon, inside);
    return next(colon + 1);
  };

  let at = next(0);
  for (;;) {
    const first = text.charCodeAt(at);
    if (first === OPEN_ARRAY || first === OPEN_OBJECT) {
      if (level !== undefined) outer.push(level);
      if (outer.length >= MAX_DEPTH) refuseDepth(source, at);
      level =
        first === OPEN_ARRAY
          ? { kind: 'array', offset: at, close: CLOSE_ARRAY, keys: [] }
          : { kind: 'object', offset: at, close: CLOSE_OBJECT, keys: [] };
      at = next(at + 1);
      if (text.charCodeAt(at) !== level.close) {
        at = startOfValue(at, level);
        continue;
      }
    } else {
      const end = endOfScalar(source, at, level);
      if (first !== QUOTE && !hasUnsafeNumbers) hasUnsafeNumbers = isUnsafeNumber(text.slice(at, end));
      at = next(end);
    }
    while (level !== undefined) {
      if (text.charCodeAt(at) === COMMA) {
        const behind = next(at + 1);
        if (text.charCodeAt(behind) !== level.close) {
          at = startOfValue(behind, level);
          break;
        }
        hasExtras = true;
        at = behind;
      }
      if (text.charCodeAt(at) !== level.close) refuseNext(source, at, level);
      if (at - level.offset >= MIN_LONG_VALUE) longValues.set(level.offset, at + 1);
      level = outer.pop();
      at = next(at + 1);
    }
    if (level === undefined) break;
  }
  if (at < text.length) refuseRest(source, at);
  return { hasExtras, hasUnsafeNumbers, longValues };
};

/** Whether a scalar is a number that a double cannot stand for: an integer beyond 2^53, or one so large that it would be infinite. */
export const isUnsafeNumber = (written: string): boolean => {
  if (written.length < MIN_UNSAFE_LENGTH && !/e/i.test(written)) return false;
  const value = Number(written);
  return /^-?\d/.test(written) && (!Number.isFinite(value) || (/^-?\d+$/.test(written) && !Number.isSafeInteger(value)));
};

const endOfScalar = (source: Source, at: number, level: Level | undefined): number => {
  const { text } = source;
  if (text.charCodeAt(at) === QUOTE) return endOfString(source, at);
  NUMBER.lastIndex = at;
  if (NUMBER.test(text)) return NUMBER.lastIndex;
  WORD.lastIndex = at;
  if (WORD.test(text)) return WORD.lastIndex;
  // A lone minus sign: the strict reader has the words for it.
  return text[at] === '-' ? endOfNumber(source, at) : refuseValue(source, at, level);
};

const refuseDepth = (source: Source, at: number): never =>
  refuse(source, at, {
    reason: 'depth',
    words: `arrays and objects are nested more than ${MAX_DEPTH} levels deep; make the document flatter`,
  });

const refuseDuplicate = (source: Source, at: number, key: string): never => {
  const shown = visible(key.length > MAX_SHOWN_KEY ? `${key.slice(0, MAX_SHOWN_KEY)}…` : key);
  return refuse(source, at, { reason: 'duplicate_key', words: `the key "${shown}" stands twice in this object; keep one of them` });
};
