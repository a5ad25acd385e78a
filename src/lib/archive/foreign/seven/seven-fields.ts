import { broken } from '../../broken.ts';
import type { Fields } from '../fields.ts';

/** A number of a 7z header: the ones at the front of the first byte count the bytes that follow it, the rest of it is the upper end. */
export const number = (fields: Fields): number => {
  const first = fields.u8();
  let value = 0;
  for (let index = 0, mask = 0x80; index < 8; index += 1, mask >>= 1) {
    if ((first & mask) === 0) return safe(value + (first & (mask - 1)) * 2 ** (8 * index));
    value += fields.u8() * 2 ** (8 * index);
  }
  return safe(value);
};

const safe = (value: number): number => {
  if (!Number.isSafeInteger(value)) throw damaged7z();
  return value;
};

/** A count of things of which each takes at least a byte or a bit of the header, so that a huge one is damage. */
export const count = (fields: Fields, most: number): number => {
  const value = number(fields);
  if (value > most) throw damaged7z();
  return value;
};

/** One bit for each, the highest of a byte first. */
export const bits = (fields: Fields, length: number): boolean[] => {
  const bytes = fields.take(Math.ceil(length / 8));
  return Array.from({ length }, (_, at) => ((bytes[at >> 3] ?? 0) & (0x80 >> (at & 7))) !== 0);
};

/** The same, with a byte before that says whether all are set. */
export const optionalBits = (fields: Fields, length: number): boolean[] =>
  fields.u8() === 0 ? bits(fields, length) : Array.from({ length }, () => true);

/** Check sums of those that have one. */
export const digests = (fields: Fields, length: number): (number | undefined)[] =>
  optionalBits(fields, length).map((isDefined) => (isDefined ? fields.u32() : undefined));

/** A number as it is written. */
export const numberBytes = (value: number): Buffer => {
  const bytes = Buffer.alloc(9);
  bytes[0] = 0xff;
  bytes.writeBigUInt64LE(BigInt(value), 1);
  return bytes;
};

export const damaged7z = () => broken('is a damaged or cut 7z file');
