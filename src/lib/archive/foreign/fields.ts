import { broken } from '../broken.ts';

/** Reads the fields of a header one after the other; whatever reaches beyond its end is damage. */
export interface Fields {
  readonly left: number;
  readonly at: number;
  u8(): number;
  u16(): number;
  u32(): number;
  u64(): number;
  take(length: number): Buffer;
  /** What was read since a place. */
  since(from: number): Buffer;
}

/** The fields of some bytes, all numbers little-endian. */
export const fieldsOf = (bytes: Buffer): Fields => {
  let at = 0;
  const take = (length: number): Buffer => {
    if (!Number.isSafeInteger(length) || length < 0 || at + length > bytes.byteLength) throw broken('has a damaged header');
    at += length;
    return bytes.subarray(at - length, at);
  };
  return {
    get left() {
      return bytes.byteLength - at;
    },
    get at() {
      return at;
    },
    u8: () => take(1).readUInt8(0),
    u16: () => take(2).readUInt16LE(0),
    u32: () => take(4).readUInt32LE(0),
    u64: () => safe(take(8).readBigUInt64LE(0)),
    take,
    since: (from) => bytes.subarray(from, at),
  };
};

/** Numbers beyond 2^53 stand in no honest archive. */
const safe = (value: bigint): number => {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw broken('has a damaged header');
  return Number(value);
};
