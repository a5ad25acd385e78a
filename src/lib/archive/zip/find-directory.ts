import { ArchiveException } from '../../../core/errors.ts';
import { broken } from '../broken.ts';
import { type ByteSource, bytesAt } from '../byte-source.ts';
import { type ArchiveLimits, demandEntries } from '../limits.ts';

/** Where the directory of a zip file lies. */
export interface ZipDirectory {
  readonly count: number;
  readonly offset: number;
  readonly size: number;
  /** How many bytes stand before the file that its numbers speak of. */
  readonly shift: number;
  /** Where the end record stands that was taken. */
  readonly endAt: number;
}

const END_BYTES = 22;
const LOCATOR_BYTES = 20;
const WIDE_END_BYTES = 56;
const MAX_COMMENT_BYTES = 0xffff;
/** How far behind the end record a lenient search looks for it. */
const MAX_FILLING_BYTES = 1024 * 1024;
/** Only a hostile file has more of them; looking at each costs a read. */
const MAX_ENDS = 16;
/** What an honest entry takes at most on average; keeps the memory for the directory in proportion. */
const DIRECTORY_BYTES_PER_ENTRY = 512;

interface Finding {
  readonly limits: ArchiveLimits;
  /** Bytes before the first entry, around the directory and behind the end are put up with. */
  readonly lenient: boolean;
}

/**
 * Finds the one end record whose comment ends with the file and whose directory ends where it begins. A lenient search takes the last
 * end record that has a directory, wherever both stand, as other readers do.
 */
export const findDirectory = async (source: ByteSource, { limits, lenient }: Finding): Promise<ZipDirectory> => {
  const { tail, tailAt } = await tailOf(source, lenient ? MAX_FILLING_BYTES : MAX_COMMENT_BYTES);
  const directory = lenient ? await lastIn(source, tail, tailAt) : await onlyIn(source, tail, tailAt);
  demandEntries(directory.count, limits);
  if (directory.size > (limits.maxEntries + 128) * DIRECTORY_BYTES_PER_ENTRY)
    throw broken('has a directory out of all proportion', { bytes: directory.size });
  return directory;
};

const tailOf = async (source: ByteSource, bytesBehind: number): Promise<{ readonly tail: Buffer; readonly tailAt: number }> => {
  const tailAt = Math.max(0, source.size - END_BYTES - bytesBehind - LOCATOR_BYTES);
  return { tail: await bytesAt(source, tailAt, source.size - tailAt), tailAt };
};

/**
 * The other end records that a lenient search could have come upon and that have a directory, whether or not their comment is whole.
 * `isContent` tells of a place whether it is in the content of an entry: archives may hold archives.
 */
export const otherEnds = async (
  source: ByteSource,
  { endAt }: ZipDirectory,
  isContent: (place: number) => Promise<boolean> | boolean,
): Promise<readonly number[]> => {
  const { tail, tailAt } = await tailOf(source, MAX_FILLING_BYTES);
  const found: number[] = [];
  let seen = 0;
  for (const end of marksIn(tail)) {
    const place = tailAt + end;
    if (place === endAt || (await isContent(place))) continue;
    seen += 1;
    if (seen > MAX_ENDS || (await directoryOf(source, tail, { end, tailAt })) !== undefined) found.push(place);
    if (seen > MAX_ENDS) break;
  }
  return found;
};

const onlyIn = async (source: ByteSource, tail: Buffer, tailAt: number): Promise<ZipDirectory> => {
  const [end, ...others] = endsIn(tail, (last) => last === tail.byteLength);
  if (end === undefined) throw noEnd();
  // A reader that takes the other one would see another archive.
  if (others.length > 0) throw broken('has two end records that disagree');
  const { directory, endAt } = await describedBy(source, tail, { end, tailAt });
  if (directory.offset + directory.size !== endAt) throw broken('has bytes before its first entry or between its directory and its end');
  return { ...directory, shift: 0, endAt: tailAt + end };
};

const lastIn = async (source: ByteSource, tail: Buffer, tailAt: number): Promise<ZipDirectory> => {
  for (const end of endsIn(tail, (last) => last <= tail.byteLength)) {
    const directory = await directoryOf(source, tail, { end, tailAt });
    if (directory !== undefined) return directory;
  }
  throw noEnd();
};

/** The directory of an end record; undefined where none stands directly before it or where it says. */
const directoryOf = async (source: ByteSource, tail: Buffer, { end, tailAt }: EndFound): Promise<ZipDirectory | undefined> => {
  const { directory, endAt } = await describedBy(source, tail, { end, tailAt, lenient: true });
  // There may be filling before the first entry, or between directory and end.
  for (const by of [endAt - directory.size - directory.offset, 0]) {
    const offset = directory.offset + by;
    if (by >= 0 && offset + directory.size <= endAt && (await isDirectoryAt(source, offset, directory)))
      return { ...directory, offset, shift: by, endAt: tailAt + end };
  }
  return undefined;
};

const isDirectoryAt = async (source: ByteSource, offset: number, { size }: Pick<ZipDirectory, 'size'>): Promise<boolean> =>
  size === 0 || (await bytesAt(source, offset, 4)).equals(DIRECTORY_MARK);

const DIRECTORY_MARK = Buffer.from('PK\x01\x02', 'latin1');

const noEnd = () => broken('has no end record and so is no whole zip file');

/** Whether a file has an end record with a directory, whatever it begins with. */
export const endsAsZip = async (source: ByteSource): Promise<boolean> => {
  try {
    const limits = { maxBytes: Number.POSITIVE_INFINITY, maxEntries: Number.POSITIVE_INFINITY, maxRatio: Number.POSITIVE_INFINITY };
    await findDirectory(source, { limits, lenient: true });
    return true;
  } catch (fault) {
    if (fault instanceof ArchiveException) return false;
    throw fault;
  }
};

/** Places of all end records whose comment ends at a fitting place, from the last on. */
const endsIn = (tail: Buffer, fits: (last: number) => boolean): number[] => {
  const found: number[] = [];
  for (const at of marksIn(tail)) {
    if (fits(at + END_BYTES + tail.readUInt16LE(at + 20))) found.push(at);
    if (found.length === MAX_ENDS) break;
  }
  return found;
};

/** Places of everything that looks like an end record, from the last on. */
function* marksIn(tail: Buffer): Generator<number> {
  for (let at = tail.lastIndexOf(END_MARK); at >= 0; at = at === 0 ? -1 : tail.lastIndexOf(END_MARK, at - 1))
    if (at + END_BYTES <= tail.byteLength) yield at;
}

const END_MARK = Buffer.from('PK\x05\x06', 'latin1');

interface EndFound {
  /** Where it stands in the tail of the file, and where that begins. */
  readonly end: number;
  readonly tailAt: number;
  readonly lenient?: boolean;
}

/** What an end record, or the wide one before it, says, and where that begins. */
const describedBy = async (source: ByteSource, tail: Buffer, { end, tailAt, lenient = false }: EndFound): Promise<Described> => {
  const locator = end - LOCATOR_BYTES;
  if (locator < 0 || tail.readUInt32LE(locator) !== 0x07064b50) return { directory: readEnd(tail, end), endAt: tailAt + end };
  const locatorAt = tailAt + locator;
  const endAt = wide(tail, locator + 8);
  const given = await readWideEnd(source, endAt);
  // Filling before the first entry moves it too.
  const found = given ?? (lenient ? await readWideEnd(source, locatorAt - WIDE_END_BYTES) : undefined);
  if (found === undefined) throw broken('has no wide end record where its locator points');
  if (!lenient && endAt + 12 + found.bytes !== locatorAt) throw broken('has bytes between its end records');
  return { directory: found.directory, endAt: given === undefined ? locatorAt - WIDE_END_BYTES : endAt };
};

interface Described {
  readonly directory: Omit<ZipDirectory, 'shift' | 'endAt'>;
  readonly endAt: number;
}

const readEnd = (tail: Buffer, at: number): Described['directory'] => ({
  count: tail.readUInt16LE(at + 10),
  size: tail.readUInt32LE(at + 12),
  offset: tail.readUInt32LE(at + 16),
});

/** A wide end record and the length it gives itself; undefined where none is. */
const readWideEnd = async (
  source: ByteSource,
  at: number,
): Promise<(Pick<Described, 'directory'> & { readonly bytes: number }) | undefined> => {
  const record = at < 0 ? Buffer.alloc(0) : await bytesAt(source, at, WIDE_END_BYTES);
  if (record.byteLength < WIDE_END_BYTES || record.readUInt32LE(0) !== 0x06064b50) return undefined;
  return { directory: { count: wide(record, 32), size: wide(record, 40), offset: wide(record, 48) }, bytes: wide(record, 4) };
};

/** A number of 64 bits; beyond 2^53 no file is that long. */
export const wide = (bytes: Buffer, at: number): number => {
  const value = Number(bytes.readBigUInt64LE(at));
  if (!Number.isSafeInteger(value)) throw broken('has a number that is larger than any file');
  return value;
};
