import { demand } from './unreadable.ts';

/** Unpacks a block of LZ4 that fills the whole of `into`. */
export const unpackLz4 = (block: Uint8Array, into: Uint8Array): void => {
  demand(fill(block, into, 0) === into.byteLength, 'a page ends early');
};

/**
 * The older codec, which Hadoop writes in frames: the length of what comes out, the length of what goes in, the highest byte first, and a
 * block. Other writers took it for a plain block.
 */
export const unpackHadoopLz4 = (input: Uint8Array, into: Uint8Array): void => {
  if (!fillFramed(input, into)) unpackLz4(input, into);
};

const fillFramed = (input: Uint8Array, into: Uint8Array): boolean => {
  const view = new DataView(input.buffer, input.byteOffset, input.byteLength);
  let at = 0;
  let filled = 0;
  while (at + 8 <= input.byteLength) {
    const out = view.getUint32(at);
    const size = view.getUint32(at + 4);
    at += 8;
    if (size > input.byteLength - at || out > into.byteLength - filled) return false;
    const end = tryFill(input.subarray(at, at + size), into, filled);
    if (end !== filled + out) return false;
    at += size;
    filled = end;
  }
  return at === input.byteLength && filled === into.byteLength;
};

const tryFill = (block: Uint8Array, into: Uint8Array, from: number): number => {
  try {
    return fill(block, into, from);
  } catch {
    return -1; // no frame, then: a plain block is tried next, and complains
  }
};

/** Answers where the output ended. */
const fill = (block: Uint8Array, into: Uint8Array, from: number): number => {
  let at = 0;
  let filled = from;
  const lengthFrom = (nibble: number): number => {
    let length = nibble;
    if (nibble < 15) return length;
    for (let byte = 255; byte === 255; length += byte) {
      demand(at < block.byteLength, 'a compressed page ends early');
      byte = block[at] ?? 0;
      at += 1;
    }
    return length;
  };
  while (at < block.byteLength) {
    const token = block[at] ?? 0;
    at += 1;
    const literals = lengthFrom(token >> 4);
    demand(literals <= block.byteLength - at && literals <= into.byteLength - filled, 'a compressed page is damaged');
    into.set(block.subarray(at, at + literals), filled);
    at += literals;
    filled += literals;
    if (at === block.byteLength) return filled; // the last sequence has no match
    demand(at + 2 <= block.byteLength, 'a compressed page ends early');
    const distance = (block[at] ?? 0) + (block[at + 1] ?? 0) * 256;
    at += 2;
    const length = lengthFrom(token & 0x0f) + 4;
    demand(distance > 0 && distance <= filled - from && length <= into.byteLength - filled, 'a compressed page is damaged');
    // Not copyWithin: a match may overlap what it makes.
    for (const end = filled + length; filled < end; filled += 1) into[filled] = into[filled - distance] ?? 0;
  }
  return filled;
};
