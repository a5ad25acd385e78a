import type iconv from 'iconv-lite';
import { type Codec, type DecodeStretch, decoderOf, NO_BYTES, type OnBadBytes, type OnUnfit } from './codec.ts';
import { UNDEFINED } from './single-byte.ts';

/** The part of iconv-lite that is used here: it puts a mark for bad bytes, and `?` for what does not fit. */
export type Iconv = Pick<typeof iconv, 'decode' | 'encode'>;

type LengthAt = (bytes: Buffer, at: number) => number;

/** The East Asian encodings whose lead byte tells how many bytes a character has, each with that rule. */
const LENGTHS = {
  gbk: (bytes, at) => (isBetween(bytes[at], 0x81, 0xfe) ? 2 : 1),
  gb18030: (bytes, at) => (!isBetween(bytes[at], 0x81, 0xfe) ? 1 : isBetween(bytes[at + 1], 0x30, 0x39) ? 4 : 2),
  big5: (bytes, at) => (isBetween(bytes[at], 0x81, 0xfe) ? 2 : 1),
  'euc-jp': (bytes, at) => (bytes[at] === 0x8f ? 3 : bytes[at] === 0x8e || isBetween(bytes[at], 0xa1, 0xfe) ? 2 : 1),
  'euc-kr': (bytes, at) => (isBetween(bytes[at], 0x81, 0xfe) ? 2 : 1),
  shift_jis: (bytes, at) => (isBetween(bytes[at], 0x81, 0x9f) || isBetween(bytes[at], 0xe0, 0xfc) ? 2 : 1),
} as const satisfies Record<string, LengthAt>;

export type MultiByteName = keyof typeof LENGTHS;

/** The encoding on the tables of iconv-lite. */
export const multiByte = (name: MultiByteName, { decode, encode }: Iconv): Codec => {
  const lengthAt = LENGTHS[name];

  const decodeWith =
    (onBad: OnBadBytes): DecodeStretch =>
    (bytes, offset, isLast) => {
      const whole = endOfWhole(bytes, lengthAt);
      const text = decode(bytes.subarray(0, whole), name);
      const isSound = !text.includes(UNDEFINED) && (whole === bytes.length || !isLast);
      return isSound ? { text, taken: whole } : mend(bytes, offset, onBad, isLast);
    };

  /** Character by character, so that bad bytes are known by their place. */
  const mend = (bytes: Buffer, offset: number, onBad: OnBadBytes, isLast: boolean): ReturnType<DecodeStretch> => {
    let text = '';
    let at = 0;
    while (at < bytes.length) {
      const length = lengthAt(bytes, at);
      if (at + length > bytes.length && !isLast) break;
      const sequence = bytes.subarray(at, at + length);
      const character = decode(sequence, name);
      const isGood = sequence.length === length && (!character.includes(UNDEFINED) || sequence.equals(UNDEFINED_IN_GB18030));
      text += isGood ? character : onBad(offset + at);
      // An ASCII byte after a lead byte is itself, not part of the damage.
      at += isGood || (sequence[1] ?? 0) >= 0x80 ? sequence.length : 1;
    }
    return { text, taken: at };
  };

  const encodeText = (text: string, onUnfit: OnUnfit): Uint8Array => {
    const bytes = encode(text, name);
    if (questionMarks(bytes.toString('latin1')) === questionMarks(text)) return bytes; // no character has this byte but `?` itself
    const parts = Array.from(text, (character) => {
      const own = encode(character, name);
      return own.equals(QUESTION_MARK) && character !== '?' ? encode(onUnfit(character), name) : own;
    });
    return Buffer.concat(parts);
  };

  return {
    decoder: (onBad) => decoderOf(decodeWith(onBad)),
    encoder: (onUnfit) => ({ write: (text) => encodeText(text, onUnfit), end: () => NO_BYTES }),
  };
};

const isBetween = (byte: number | undefined, low: number, high: number): boolean => byte !== undefined && byte >= low && byte <= high;

/** The one encoding here that has a way to write U+FFFD itself; in the others these four bytes are two characters. */
const UNDEFINED_IN_GB18030 = Buffer.from([0x84, 0x31, 0xa4, 0x37]);
const QUESTION_MARK = Buffer.from('?');

const endOfWhole = (bytes: Buffer, lengthAt: LengthAt): number => {
  let at = 0;
  for (let next = lengthAt(bytes, 0); next <= bytes.length && at < bytes.length; next = at + lengthAt(bytes, at)) at = next;
  return at;
};

const questionMarks = (text: string): number => {
  let count = 0;
  for (let at = text.indexOf('?'); at >= 0; at = text.indexOf('?', at + 1)) count += 1;
  return count;
};
