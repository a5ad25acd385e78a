import { isUtf8 } from 'node:buffer';
import { type Codec, type DecodeStretch, decoderOf, NO_BYTES, type OnBadBytes } from './codec.ts';

/** UTF-8 as everybody writes it: shortest forms only, no surrogates. */
export const utf8: Codec = {
  decoder: (onBad) => decoderOf(decodeWith(onBad)),
  encoder: () => ({ write: (text) => Buffer.from(text), end: () => NO_BYTES }),
};

const decodeWith =
  (onBad: OnBadBytes): DecodeStretch =>
  (bytes, offset, isLast) => {
    const whole = isLast ? bytes.length : endOfWhole(bytes);
    const part = bytes.subarray(0, whole);
    return { text: isUtf8(part) ? part.toString() : mend(part, offset, onBad), taken: whole };
  };

/** Where the last character that is there completely ends. */
const endOfWhole = (bytes: Buffer): number => {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte >= 0xc0) return lengthFrom(byte) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
};

const lengthFrom = (lead: number): number => (lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2);

const mend = (bytes: Buffer, offset: number, onBad: OnBadBytes): string => {
  let text = '';
  let goodFrom = 0;
  for (let at = 0; at < bytes.length; ) {
    const { length, isGood } = sequenceAt(bytes, at);
    if (!isGood) {
      text += bytes.toString('utf8', goodFrom, at) + onBad(offset + at);
      goodFrom = at + length;
    }
    at += length;
  }
  return text + bytes.toString('utf8', goodFrom);
};

const ONE_GOOD = { length: 1, isGood: true } as const;

/** The sequence that starts here; of a bad one, as many bytes as could have begun a good one. */
const sequenceAt = (bytes: Buffer, at: number): { readonly length: number; readonly isGood: boolean } => {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return ONE_GOOD;
  if (lead < 0xc2 || lead > 0xf4) return { length: 1, isGood: false };
  const wanted = lengthFrom(lead);
  for (let length = 1; length < wanted; length += 1) {
    const next = bytes[at + length] ?? 0;
    const [low, high] = length === 1 ? secondByteOf(lead) : ANY_TAIL;
    if (next < low || next > high) return { length, isGood: false };
  }
  return { length: wanted, isGood: true };
};

const ANY_TAIL = [0x80, 0xbf] as const;

const secondByteOf = (lead: number): readonly [number, number] => {
  switch (lead) {
    case 0xe0:
      return [0xa0, 0xbf];
    case 0xed:
      return [0x80, 0x9f];
    case 0xf0:
      return [0x90, 0xbf];
    case 0xf4:
      return [0x80, 0x8f];
    default:
      return ANY_TAIL;
  }
};
