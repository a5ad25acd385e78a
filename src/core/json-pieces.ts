import type { RunResult } from './result.ts';
import { ValueSizes } from './value-size.ts';

/** About how long one piece is. */
const PIECE_LENGTH = 64 * 1024;

/** Whether writing a value as JSON would keep others waiting. Looks at no more of it than needed to tell. */
export const isLarge = (value: unknown): boolean => new ValueSizes().of(value, PIECE_LENGTH) > PIECE_LENGTH;

/** The same of a result, most of which are a few commands with short values: those are told without looking through everything. */
export const isLargeResult = (result: RunResult): boolean => {
  let length = 0;
  for (const { value, notes, steps, plan, error } of result.results) {
    if (notes !== undefined || steps !== undefined || plan !== undefined || error !== undefined) return isLarge(result);
    if (typeof value === 'object' && value !== null) return isLarge(result);
    length += OUTCOME_LENGTH + (typeof value === 'string' ? value.length : 0);
  }
  return length > PIECE_LENGTH;
};

/** About what an entry takes beside its value. */
const OUTCOME_LENGTH = 100;

export interface PiecesOptions {
  /** What stands for a part of the value, as a masker makes it; keeps the shape. */
  readonly rewrite?: (value: unknown) => unknown;
}

/**
 * The JSON of a value, piece by piece: whoever takes the pieces may do something else in between, and a value that holds the same objects
 * over and over is never written out as a whole. The same text as `JSON.stringify` gives.
 */
export function* jsonPieces(value: unknown, { rewrite = (part) => part }: PiecesOptions = {}): Generator<string, void> {
  const sizes = new ValueSizes();
  const isShort = (part: object) => sizes.of(part, PIECE_LENGTH) <= PIECE_LENGTH;
  let text = '';

  function* write(part: unknown): Generator<string, void> {
    if (typeof part === 'string') yield* writeText(part);
    else if (typeof part !== 'object' || part === null || isShort(part)) text += JSON.stringify(rewrite(part)) ?? 'null';
    else if (Array.isArray(part)) yield* writeList(part);
    else if (isPlain(part)) yield* writeObject(part);
    else text += JSON.stringify(rewrite(part)) ?? 'null';
    if (text.length < PIECE_LENGTH) return;
    yield text;
    text = '';
  }

  function* writeText(part: string): Generator<string, void> {
    const whole = rewrite(part);
    if (typeof whole !== 'string' || whole.length <= PIECE_LENGTH) {
      text += JSON.stringify(whole) ?? 'null';
      return;
    }
    text += '"';
    for (let from = 0; from < whole.length; ) {
      const end = endOfPiece(whole, from);
      text += JSON.stringify(whole.slice(from, end)).slice(1, -1);
      from = end;
      yield text;
      text = '';
    }
    text += '"';
  }

  function* writeList(list: readonly unknown[]): Generator<string, void> {
    text += '[';
    for (let at = 0; at < list.length; at += 1) {
      if (at > 0) text += ',';
      yield* write(list[at]);
    }
    text += ']';
  }

  function* writeObject(object: object): Generator<string, void> {
    text += '{';
    let isFirst = true;
    for (const [key, part] of Object.entries(object)) {
      if (part === undefined || typeof part === 'function' || typeof part === 'symbol') continue;
      text += `${isFirst ? '' : ','}${JSON.stringify(rewrite(key))}:`;
      isFirst = false;
      yield* write(part);
    }
    text += '}';
  }

  yield* write(value);
  if (text !== '') yield text;
}

/** The beginning of the JSON of a value; undefined where the whole of it has at most this many characters. */
export const jsonBeginning = (value: unknown, length: number): string | undefined => {
  if (new ValueSizes().of(value, length / MOST_OVERRATED) <= length / MOST_OVERRATED) return undefined;
  let text = '';
  for (const piece of jsonPieces(value)) {
    text += piece;
    if (text.length > length) return text;
  }
  return undefined;
};

/** The size of a value is a guess: its JSON may be longer by so much, where it holds nothing but escaped characters. */
const MOST_OVERRATED = 8;

/** Not between the halves of a character. */
const endOfPiece = (text: string, from: number): number => {
  const end = from + PIECE_LENGTH;
  const last = text.charCodeAt(end - 1);
  return end < text.length && last >= 0xd800 && last <= 0xdbff ? end + 1 : end;
};

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && !('toJSON' in value);
};
