import { refuse, type Source } from './source.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;
const PLUS = 0x2b;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const LETTER_E = 0x65;
const LETTER_U = 0x75;
const SHORT_ESCAPES = new Set(Buffer.from('"\\/bfnrt'));

/** Every integer of fewer characters is safe, and no shorter number without exponent overflows. */
const MIN_UNSAFE_LENGTH = 16;

/** Checks the string whose opening quote stands at `start`; answers the offset behind its closing quote. */
export const endOfString = (source: Source, start: number): number => {
  const { text } = source;
  for (let at = start + 1; ; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) return at + 1;
    if (unit === BACKSLASH) at = lastOfEscape(source, at);
    else if (Number.isNaN(unit)) refuse(source, start, { reason: 'unfinished', words: 'this string is never closed; add a double quote' });
    else if (unit < 0x20 || unit > 0xd7ff) at = lastOfRareCharacter(source, at);
  }
};

/** Checks the number at `start`, which begins with a minus sign or a digit; answers the offset behind it. */
export const endOfNumber = (source: Source, start: number): number => {
  const { text } = source;
  const first = text.charCodeAt(start) === MINUS ? start + 1 : start;
  let at = text.charCodeAt(first) === ZERO ? first + 1 : endOfDigits(source, first);
  const isFraction = text.charCodeAt(at) === POINT;
  if (isFraction) at = endOfDigits(source, at + 1);
  // The bit makes a small letter of E.
  const hasExponent = (text.charCodeAt(at) | 0x20) === LETTER_E;
  if (hasExponent) {
    const sign = text.charCodeAt(at + 1);
    at = endOfDigits(source, sign === PLUS || sign === MINUS ? at + 2 : at + 1);
  } else if (at - start < MIN_UNSAFE_LENGTH) return at;
  const value = Number(text.slice(start, at));
  if (!isFraction && !hasExponent && !Number.isSafeInteger(value)) {
    refuse(source, start, {
      reason: 'integer_range',
      words: 'this integer is beyond ±9007199254740991 and would be rounded; write it as a string',
    });
  }
  if (!Number.isFinite(value)) {
    refuse(source, start, { reason: 'overflow', words: 'this number is too large to be kept; write it as a string' });
  }
  return at;
};

/** Whether a character code is one of 0 to 9. */
export const isDigit = (unit: number): boolean => unit >= ZERO && unit <= NINE;

const endOfDigits = (source: Source, start: number): number => {
  let at = start;
  while (isDigit(source.text.charCodeAt(at))) at += 1;
  if (at > start) return at;
  return refuse(source, start, { reason: 'syntax', words: 'a digit is missing here; write numbers like 10, -0.5 or 1e9' });
};

const lastOfEscape = (source: Source, at: number): number => {
  const kind = source.text.charCodeAt(at + 1);
  if (kind === LETTER_U) return lastOfUnicodeEscape(source, at);
  if (SHORT_ESCAPES.has(kind)) return at + 1;
  return refuse(source, at, { reason: 'syntax', words: 'this backslash starts no JSON escape; write \\\\ for a backslash' });
};

const lastOfUnicodeEscape = (source: Source, at: number): number => {
  const unit = unitOfEscape(source.text, at);
  if (unit === undefined) return refuse(source, at, { reason: 'syntax', words: 'this \\u lacks digits; write four, as in \\u00e9' });
  if (!isHighSurrogate(unit) && !isLowSurrogate(unit)) return at + 5;
  const next = isHighSurrogate(unit) ? unitOfEscape(source.text, at + 6) : undefined;
  return next !== undefined && isLowSurrogate(next) ? at + 11 : refuseLoneSurrogate(source, at);
};

const unitOfEscape = (text: string, at: number): number | undefined => {
  const written = text.slice(at, at + 6);
  return /^\\u[0-9a-f]{4}$/i.test(written) ? Number.parseInt(written.slice(2), 16) : undefined;
};

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

const lastOfRareCharacter = (source: Source, at: number): number => {
  const unit = source.text.charCodeAt(at);
  if (unit > 0xdfff) return at;
  if (isHighSurrogate(unit) && isLowSurrogate(source.text.charCodeAt(at + 1))) return at + 1;
  if (unit >= 0xd800) return refuseLoneSurrogate(source, at);
  const escaped = JSON.stringify(source.text.charAt(at)).slice(1, -1);
  return refuse(source, at, { reason: 'syntax', words: `a control character stands in a string; close the string or write ${escaped}` });
};

const refuseLoneSurrogate = (source: Source, at: number): never =>
  refuse(source, at, { reason: 'lone_surrogate', words: 'half a surrogate pair stands here alone; write the whole character' });
