import { crc32 } from 'node:zlib';
import { broken } from '../broken.ts';

const START_BYTES = 32;

/** Compares the check sums of a 7z archive's headers, the last of which stands at its end, so that a cut one is noticed. */
export const check7z = (bytes: Buffer): 'some' | 0 => {
  if (bytes.byteLength < START_BYTES || crc32(bytes.subarray(12, START_BYTES)) !== bytes.readUInt32LE(8))
    throw broken('is a damaged or cut 7z file');
  const at = START_BYTES + Number(bytes.readBigUInt64LE(12));
  const header = bytes.subarray(at, at + Number(bytes.readBigUInt64LE(20)));
  if (BigInt(header.byteLength) !== bytes.readBigUInt64LE(20) || crc32(header) !== bytes.readUInt32LE(28))
    throw broken('is a damaged or cut 7z file');
  return header.byteLength === 0 ? 0 : 'some';
};
