import { isUtf8 } from 'node:buffer';
import { shownBytes } from '../../fs/raw-names.ts';
import { broken } from '../broken.ts';

export const BLOCK_BYTES = 512;

/** One header block of a tar file, its fields as they stand there. */
export interface TarHeader {
  readonly name: Buffer;
  readonly linkName: Buffer;
  /** One character: `0` for a file. */
  readonly type: string;
  readonly size: number;
  readonly mode: number;
  readonly mtimeS: number;
  /** The whole block: some forms keep more in it. */
  readonly block: Buffer;
}

/** Reads a header block; undefined for a block of zeros, which ends the archive. */
export const readHeader = (block: Buffer): TarHeader | undefined => {
  if (block.byteLength < BLOCK_BYTES) throw broken('ends without its end mark: it was cut or is no tar file', { reason: 'cut' });
  if (isZero(block)) return undefined;
  if (!isHeader(block)) throw broken('has no valid header where one should be: it is damaged or no tar file');
  const size = numberAt(block, 124, 12);
  if (size === undefined || size < 0) throw broken('has an entry whose size is no number');
  return {
    name: nameOf(block),
    linkName: textAt(block, 157, 100),
    type: String.fromCharCode(block[156] ?? 0),
    size,
    mode: numberAt(block, 100, 8) ?? 0,
    mtimeS: numberAt(block, 136, 12) ?? 0,
    block,
  };
};

/** Whether a block has the check sum of a header. */
export const isHeader = (block: Buffer): boolean => sumsOf(block).includes(numberAt(block, 148, 8) ?? -1);

export const isZero = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0);

/** Text as UTF-8; what is not UTF-8 is shown by its bytes. */
export const decodeName = (bytes: Buffer): { readonly text: string; readonly isMisencoded: boolean } => ({
  text: shownBytes(bytes),
  isMisencoded: !isUtf8(bytes),
});

/** POSIX archives may keep the first part of a long name in a second field. */
const nameOf = (block: Buffer): Buffer => {
  const name = textAt(block, 0, 100);
  const isPosix = block.subarray(257, 263).equals(Buffer.from('ustar\0'));
  // The star program keeps times where others have the end of the prefix.
  const isStar = block.subarray(508, 512).equals(Buffer.from('tar\0'));
  const prefix = isPosix && block[345] !== 0 ? textAt(block, 345, isStar ? 131 : 155) : Buffer.alloc(0);
  return prefix.byteLength > 0 ? Buffer.concat([prefix, Buffer.from('/'), name]) : name;
};

/** A text field without its filling. A NUL in the middle stays: a reader that cuts there would see another name. */
const textAt = (block: Buffer, at: number, length: number): Buffer => {
  let end = at + length;
  while (end > at && block[end - 1] === 0) end -= 1;
  return block.subarray(at, end);
};

/** A number in octal digits or, marked by its first bit, in binary; undefined where it is neither. */
export const numberAt = (block: Buffer, at: number, length: number): number | undefined => {
  const field = block.subarray(at, at + length);
  if (((field[0] ?? 0) & 0x80) !== 0) return binaryNumber(field);
  const digits = field
    .toString('latin1')
    .replace(/[\0 ]+$/, '')
    .trimStart();
  return /^[0-7]*$/.test(digits) ? Number.parseInt(digits === '' ? '0' : digits, 8) : undefined;
};

const binaryNumber = (field: Buffer): number | undefined => {
  const isNegative = (field[0] ?? 0) === 0xff;
  const bytes = Buffer.from(field);
  bytes[0] = isNegative ? 0xff : (bytes[0] ?? 0) & 0x7f;
  const value = Number(
    isNegative ? BigInt.asIntN(bytes.byteLength * 8, BigInt(`0x${bytes.toString('hex')}`)) : BigInt(`0x${bytes.toString('hex')}`),
  );
  return Number.isSafeInteger(value) ? value : undefined;
};

/** The check sum as POSIX counts it, and as some old programs did with signed bytes. */
const sumsOf = (block: Buffer): readonly number[] => {
  let unsigned = 0;
  let signed = 0;
  for (let at = 0; at < BLOCK_BYTES; at += 1) {
    const byte = at >= 148 && at < 156 ? 0x20 : (block[at] ?? 0);
    unsigned += byte;
    signed += byte < 0x80 ? byte : byte - 0x100;
  }
  return [unsigned, signed];
};
