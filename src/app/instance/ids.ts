import { randomBytes } from 'node:crypto';

/** 32 hex digits, random. */
export const newId = (): string => {
  const at = take(32);
  // V8 copies parts of up to 12 characters; a longer one would hold the whole block as long as the id is kept.
  return `${digits.slice(at, at + 12)}${digits.slice(at + 12, at + 24)}${digits.slice(at + 24, at + 32)}`;
};

/** A UUIDv7: ids made later sort later. */
export const newRunId = (now: number): string => {
  if (now !== lastNow) {
    const time = now.toString(16).padStart(12, '0');
    lastNow = now;
    timePart = `${time.slice(0, 8)}-${time.slice(8)}-7`;
  }
  const at = take(19);
  const variant = '89ab'.charAt(digits.charCodeAt(at) & 3);
  return `${timePart}${digits.slice(at + 1, at + 4)}-${variant}${digits.slice(at + 4, at + 7)}-${digits.slice(at + 7, at + 19)}`;
};

let lastNow = -1;
let timePart = '';

/** Random digits are drawn in blocks: one call of the system's source per id would be most of the cost of a short list. */
const BLOCK_BYTES = 4096;
let digits = '';
let used = 0;

/** Where digits stand that nobody has had. */
const take = (count: number): number => {
  if (used + count > digits.length) {
    digits = randomBytes(BLOCK_BYTES).toString('hex');
    used = 0;
  }
  used += count;
  return used - count;
};
