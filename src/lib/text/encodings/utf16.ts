import { type Codec, type DecodeStretch, decoderOf, NO_BYTES, type OnBadBytes } from './codec.ts';

/** Which byte of a unit comes first: the low or the high one. */
export type ByteOrder = 'le' | 'be';

/** UTF-16 without a byte order mark. */
export const utf16 = (order: ByteOrder): Codec => ({
  decoder: (onBad) => decoderOf(decodeWith(order, onBad)),
  encoder: () => ({
    write: (text) => {
      const bytes = Buffer.from(text, 'utf16le');
      return order === 'le' ? bytes : bytes.swap16();
    },
    end: () => NO_BYTES,
  }),
});

const decodeWith =
  (order: ByteOrder, onBad: OnBadBytes): DecodeStretch =>
  (bytes, offset, isLast) => {
    const even = bytes.length & ~1;
    const units = order === 'le' ? bytes.subarray(0, even) : Buffer.from(bytes.subarray(0, even)).swap16();
    let text = units.toString('utf16le');
    // The second half of a pair may be in the next chunk.
    if (!isLast && isFirstHalf(text.charCodeAt(text.length - 1))) text = text.slice(0, -1);
    const taken = isLast ? bytes.length : text.length * 2;
    return { text: mend(text, offset, onBad) + (isLast && even < bytes.length ? onBad(offset + even) : ''), taken };
  };

const isFirstHalf = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;

/** With the `u` flag only a half without its other half is found. */
const mend = (text: string, offset: number, onBad: OnBadBytes): string =>
  text.replace(/\p{Surrogate}/gu, (_half, at: number) => onBad(offset + at * 2));
