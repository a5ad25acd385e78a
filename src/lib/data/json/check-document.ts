import { addKey, type Level } from '../../json/level.ts';
import { visible } from '../../json/locate.ts';
import { endOfNumber, endOfString } from '../../json/scalars.ts';
import { refuse, type Source } from '../../json/source.ts';
import { refuseColon, refuseKey, refuseNext, refuseRest, refuseValue } from '../../json/unexpected.ts';
import { skipTrivia } from './trivia.ts';

/** What a reader of a checked document may rely on. */
export interface Findings {
  /** Comments or commas before a closing bracket occur: JSON.parse would refuse the text. */
  readonly hasExtras: boolean;
  /** Numbers occur that a double would round or lose. */
  readonly hasUnsafeNumbers: boolean;
}

const MAX_DEPTH = 1_000;
const MAX_SHOWN_KEY = 40;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;

/**
 * Refuses a document that is not JSON, where comments and a comma before a closing bracket may stand as editors allow them, and numbers may
 * be as long as they like. One pass without recursion.
 */
export const checkDocument = (source: Source): Findings => {
  const { text } = source;
  const outer: Level[] = [];
  const found = { hasExtras: false, hasUnsafeNumbers: false };
  let level: Level | undefined;

  const next = (from: number): number => {
    const at = skipTrivia(text, from);
    if (!found.hasExtras && at > from && text.slice(from, at).includes('/')) found.hasExtras = true;
    if (text.startsWith('/*', at)) refuse(source, at, { reason: 'unfinished', words: 'this comment is never closed; end it with */' });
    return at;
  };

  /** In an object a value comes after its key and a colon. */
  const startOfValue = (at: number, inside: Level): number => {
    if (inside.kind === 'array') return at;
    if (text[at] !== '"') refuseKey(source, at, inside);
    const end = endOfString(source, at);
    const key = String(JSON.parse(text.slice(at, end)));
    if (!addKey(inside, key)) refuseDuplicate(source, at, key);
    const colon = next(end);
    if (text[colon] !== ':') refuseColon(source, colon, inside);
    return next(colon + 1);
  };

  let at = next(0);
  for (;;) {
    const first = text[at];
    if (first === '[' || first === '{') {
      if (level !== undefined) outer.push(level);
      if (outer.length >= MAX_DEPTH) refuseDepth(source, at);
      level = { kind: first === '[' ? 'array' : 'object', offset: at, close: first === '[' ? 0x5d : 0x7d, keys: [] };
      at = next(at + 1);
      if (text.charCodeAt(at) !== level.close) {
        at = startOfValue(at, level);
        continue;
      }
    } else {
      const end = endOfScalar(source, at, level);
      if (!found.hasUnsafeNumbers) found.hasUnsafeNumbers = isUnsafeNumber(text.slice(at, end));
      at = next(end);
    }
    for (;;) {
      if (level === undefined) break;
      if (text[at] === ',' && text.charCodeAt(next(at + 1)) === level.close) {
        found.hasExtras = true;
        at = next(at + 1);
      }
      if (text.charCodeAt(at) !== level.close) break;
      level = outer.pop();
      at = next(at + 1);
    }
    if (level === undefined) break;
    if (text[at] !== ',') refuseNext(source, at, level);
    at = startOfValue(next(at + 1), level);
  }
  if (at < text.length) refuseRest(source, at);
  return found;
};

/** Whether a scalar is a number that a double cannot stand for: an integer beyond 2^53, or one so large that it would be infinite. */
export const isUnsafeNumber = (written: string): boolean => {
  if (!/^-?\d/.test(written) || (written.length < 16 && !/[eE]/.test(written))) return false;
  const value = Number(written);
  return !Number.isFinite(value) || (/^-?\d+$/.test(written) && !Number.isSafeInteger(value));
};

const endOfScalar = (source: Source, at: number, level: Level | undefined): number => {
  const { text } = source;
  if (text[at] === '"') return endOfString(source, at);
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
