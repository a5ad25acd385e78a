import { type Codec, type DecodeStretch, decoderOf, NO_BYTES, type OnBadBytes } from './codec.ts';
import type { ByteOrder } from './utf16.ts';

/** UTF-32 without a byte order mark. */
export const utf32 = (order: ByteOrder): Codec => ({
  decoder: (onBad) => decoderOf(decodeWith(order, onBad)),
  encoder: () => ({ write: (text) => encode(text, order), end: () => NO_BYTES }),
});

/** Few enough for one call of `fromCodePoint`. */
const POINTS_AT_ONCE = 4096;

const decodeWith =
  (order: ByteOrder, onBad: OnBadBytes): DecodeStretch =>
  (bytes, offset, isLast) => {
    const whole = bytes.length & ~3;
    let text = '';
    let points: number[] = [];
    const flush = () => {
      text += String.fromCodePoint(...points);
      points = [];
    };
    for (let at = 0; at < whole; at += 4) {
      const point = order === 'le' ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
      if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) {
        flush();
        text += onBad(offset + at);
      } else points.push(point);
      if (points.length === POINTS_AT_ONCE) flush();
    }
    flush();
    if (isLast && whole < bytes.length) text += onBad(offset + whole);
    return { text, taken: isLast ? bytes.length : whole };
  };

const encode = (text: string, order: ByteOrder): Buffer => {
  const bytes = Buffer.allocUnsafe(text.length * 4);
  let end = 0;
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    end = order === 'le' ? bytes.writeUInt32LE(point, end) : bytes.writeUInt32BE(point, end);
  }
  return bytes.subarray(0, end);
};
