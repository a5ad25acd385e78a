import * as zlib from 'node:zlib';

/** The sum that zip, gzip and others keep, of bytes behind others that have the sum `before`. Node 21, 22.0 and 22.1 have none of their own. */
export const crc32 = (bytes: Uint8Array, before = 0): number => (zlib.crc32 ?? crc32Plainly)(bytes, before);

/** The same, byte by byte. */
export const crc32Plainly = (bytes: Uint8Array, before = 0): number => {
  let sum = ~before;
  for (let at = 0; at < bytes.length; at += 1) sum = (TABLE[(sum ^ (bytes[at] ?? 0)) & 0xff] ?? 0) ^ (sum >>> 8);
  return ~sum >>> 0;
};

const POLYNOMIAL = 0xedb88320;

const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ POLYNOMIAL : sum >>> 1;
  return sum;
});
