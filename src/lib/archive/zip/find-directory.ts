import { broken } from '../broken.ts';
import { type ByteSource, bytesAt } from '../byte-source.ts';
import { type ArchiveLimits, demandEntries } from '../limits.ts';

/** Where the directory of a zip file lies. */
export interface ZipDirectory {
  readonly count: number;
  readonly offset: number;
  readonly size: number;
}

const END_BYTES = 22;
const LOCATOR_BYTES = 20;
const WIDE_END_BYTES = 56;
const MAX_COMMENT_BYTES = 0xffff;
/** What an honest entry takes at most on average; keeps the memory for the directory in proportion. */
const DIRECTORY_BYTES_PER_ENTRY = 512;

/** Finds the one end record whose comment ends with the file and whose directory ends where it begins. */
export const findDirectory = async (source: ByteSource, limits: ArchiveLimits): Promise<ZipDirectory> => {
  const tailAt = Math.max(0, source.size - END_BYTES - MAX_COMMENT_BYTES - LOCATOR_BYTES);
  const tail = await bytesAt(source, tailAt, source.size - tailAt);
  const [end, ...others] = endsIn(tail);
  if (end === undefined) throw broken('has no end record and so is no whole zip file');
  // A reader that takes the other one would see another archive.
  if (others.length > 0) throw broken('has two end records that disagree');
  const narrow = readEnd(tail, end);
  const locator = end - LOCATOR_BYTES;
  const isWide = locator >= 0 && tail.readUInt32LE(locator) === 0x07064b50;
  const { directory, endAt } = isWide
    ? await readWideEnd(source, tail, locator, tailAt + locator)
    : { directory: narrow, endAt: tailAt + end };
  demandEntries(directory.count, limits);
  if (directory.offset + directory.size !== endAt) throw broken('has bytes before its first entry or between its directory and its end');
  if (directory.size > (limits.maxEntries + 128) * DIRECTORY_BYTES_PER_ENTRY)
    throw broken('has a directory out of all proportion', { bytes: directory.size });
  return directory;
};

/** Places of all end records whose comment reaches exactly to the end of the file, from the last on. */
const endsIn = (tail: Buffer): number[] => {
  const found: number[] = [];
  for (let at = tail.byteLength - END_BYTES; at >= 0; at -= 1) {
    if (tail.readUInt32LE(at) === 0x06054b50 && at + END_BYTES + tail.readUInt16LE(at + 20) === tail.byteLength) found.push(at);
  }
  return found;
};

const readEnd = (tail: Buffer, at: number): ZipDirectory => ({
  count: tail.readUInt16LE(at + 10),
  size: tail.readUInt32LE(at + 12),
  offset: tail.readUInt32LE(at + 16),
});

const readWideEnd = async (
  source: ByteSource,
  tail: Buffer,
  locator: number,
  locatorAt: number,
): Promise<{ directory: ZipDirectory; endAt: number }> => {
  const endAt = wide(tail, locator + 8);
  const record = await bytesAt(source, endAt, WIDE_END_BYTES);
  if (record.byteLength < WIDE_END_BYTES || record.readUInt32LE(0) !== 0x06064b50)
    throw broken('has no wide end record where its locator points');
  if (endAt + 12 + wide(record, 4) !== locatorAt) throw broken('has bytes between its end records');
  return { directory: { count: wide(record, 32), size: wide(record, 40), offset: wide(record, 48) }, endAt };
};

/** A number of 64 bits; beyond 2^53 no file is that long. */
export const wide = (bytes: Buffer, at: number): number => {
  const value = Number(bytes.readBigUInt64LE(at));
  if (!Number.isSafeInteger(value)) throw broken('has a number that is larger than any file');
  return value;
};
