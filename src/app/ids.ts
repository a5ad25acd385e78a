import { randomBytes } from 'node:crypto';

/** 32 hex digits, random. */
export const newId = (): string => take(16).toString('hex');

/** A UUIDv7: ids made later sort later. */
export const newRunId = (now: number): string => {
  const bytes = take(16);
  bytes.writeUIntBE(now, 0, 6);
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
};

/** Random bytes are drawn in blocks: one call of the system's source per id would be most of the cost of a short list. */
const BLOCK_BYTES = 4096;
let block = Buffer.alloc(0);
let used = 0;

const take = (count: number): Buffer => {
  if (used + count > block.length) {
    block = randomBytes(BLOCK_BYTES);
    used = 0;
  }
  used += count;
  return Buffer.from(block.subarray(used - count, used));
};
