import { demand } from './unreadable.ts';

/** What whole numbers are decoded into. */
export type WholeNumbers = Uint8Array | Uint16Array | Uint32Array;

/** How whole numbers are written: in so many bits, none higher than this. */
interface HybridForm {
  readonly width: number;
  readonly highest: number;
  /** What to say of a higher one. */
  readonly words: string;
  /** The number that is counted, if any. */
  readonly counted?: number;
}

/** Reads runs and packed groups of whole numbers (the encoding RLE) until `into` is full. Answers how many are the counted one. */
export const readHybrid = (
  bytes: Uint8Array,
  from: number,
  { width, highest, words, counted = -1 }: HybridForm,
  into: WholeNumbers,
): number => {
  demand(width <= 32, 'values are wider than 32 bits');
  const valueBytes = Math.ceil(width / 8);
  let at = from;
  let matches = 0;
  for (let seen = 0; seen < into.length; ) {
    let header = 0;
    for (let shift = 0; ; shift += 7) {
      demand(at < bytes.byteLength && shift <= 28, 'a page has too few values');
      const byte = bytes[at] ?? 0;
      at += 1;
      header += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) break;
    }
    if (header % 2 === 0) {
      const run = header / 2;
      demand(at + valueBytes <= bytes.byteLength, 'a page has too few values');
      demand(run <= into.length - seen, 'a run has too many values');
      let value = 0;
      for (let index = 0; index < valueBytes; index += 1) value += (bytes[at + index] ?? 0) * 2 ** (8 * index);
      demand(value <= highest || run === 0, words);
      into.fill(value, seen, seen + run);
      if (value === counted) matches += run;
      at += valueBytes;
      seen += run;
      continue;
    }
    const groups = (header - 1) / 2;
    // Packed values come in eights, and some writers fill up a whole block: what is beyond is padding.
    demand(groups * 8 <= into.length - seen + MAX_PADDING, 'a run has too many values');
    const count = Math.min(groups * 8, into.length - seen);
    demand(at + Math.ceil((count * width) / 8) <= bytes.byteLength, 'a page has too few values');
    const found = unpack(bytes, at, width, into, seen, count);
    demand(found <= highest, words);
    for (let index = seen; index < seen + count; index += 1) if (into[index] === counted) matches += 1;
    at += groups * width;
    seen += count;
  }
  return matches;
};

const MAX_PADDING = 512;

/** Values of `width` bits each, the lowest bits first. Answers the highest of them. */
const unpack = (bytes: Uint8Array, from: number, width: number, into: WholeNumbers, start: number, count: number): number => {
  if (width === 0) {
    into.fill(0, start, start + count);
    return 0;
  }
  let highest = 0;
  let at = from;
  let held = 0;
  let bits = 0;
  const range = 2 ** width;
  for (let index = start; index < start + count; index += 1) {
    // At most 31 + 8 bits are held: that is exact in a number, though not in its 32 bits.
    for (; bits < width; bits += 8) {
      held += (bytes[at] ?? 0) * 2 ** bits;
      at += 1;
    }
    const value = held % range;
    if (value > highest) highest = value;
    into[index] = value;
    held = (held - value) / range;
    bits -= width;
  }
  return highest;
};
