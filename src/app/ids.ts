import { randomBytes } from 'node:crypto';

/** 32 hex digits, random. */
export const newId = (): string => {
  const at = take(16);
  return hexOf(at, at + 16);
};

/** A UUIDv7: ids made later sort later. */
export const newRunId = (now: number): string => {
  if (now !== lastNow) {
    const time = now.toString(16).padStart(12, '0');
    lastNow = now;
    timePart = `${time.slice(0, 8)}-${time.slice(8)}-7`;
  }
  const at = take(10);
  block[at + 2] = 0x80 | ((block[at + 2] ?? 0) & 0x3f); // the variant
  const hex = hexOf(at, at + 10);
  return `${timePart}${hex.slice(1, 4)}-${hex.slice(4, 8)}-${hex.slice(8)}`;
};

let lastNow = -1;
let timePart = '';

const hexOf = (from: number, to: number): string => block.toString('hex', from, to);

/** Random bytes are drawn in blocks: one call of the system's source per id would be most of the cost of a short list. */
const BLOCK_BYTES = 4096;
let block = Buffer.alloc(0);
let used = 0;

/** Where bytes lie that nobody has had. */
const take = (count: number): number => {
  if (used + count > block.length) {
    block = randomBytes(BLOCK_BYTES);
    used = 0;
  }
  used += count;
  return used - count;
};
