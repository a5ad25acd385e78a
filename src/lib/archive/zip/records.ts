// The records of a zip file, as bytes. Field names follow APPNOTE 6.3; all numbers are little-endian.

/** What a zip file says of one entry. */
export interface ZipRecord {
  /** UTF-8. */
  readonly name: Uint8Array;
  readonly isUtf8: boolean;
  readonly method: number;
  readonly checksum: number;
  readonly size: number;
  readonly compressedSize: number;
  readonly mtimeMs: number;
  /** Type and permissions as Unix has them. */
  readonly mode: number;
  /** Where its local header stands. */
  readonly offset: number;
  /** Keep room for sizes of 4 GiB and more, even where they turn out smaller. */
  readonly isZip64: boolean;
}

export const METHOD_STORED = 0;
export const METHOD_DEFLATED = 8;

const LIMIT_16 = 0xffff;
const LIMIT_32 = 0xffffffff;
const VERSION_ZIP64 = 45;
const VERSION_PLAIN = 20;
const MADE_ON_UNIX = 3 << 8;
const FLAG_UTF8 = 0x800;

/** Stands before the content. */
export const localHeader = (record: ZipRecord): Buffer => {
  const extra = Buffer.concat([...(record.isZip64 ? [zip64Field([record.size, record.compressedSize])] : []), timeField(record.mtimeMs)]);
  const fixed = Buffer.alloc(30);
  fixed.writeUInt32LE(0x04034b50, 0);
  fixed.writeUInt16LE(versionFor(record), 4);
  writeCommon(fixed, 6, record);
  fixed.writeUInt32LE(record.isZip64 ? LIMIT_32 : record.compressedSize, 18);
  fixed.writeUInt32LE(record.isZip64 ? LIMIT_32 : record.size, 22);
  fixed.writeUInt16LE(record.name.byteLength, 26);
  fixed.writeUInt16LE(extra.byteLength, 28);
  return Buffer.concat([fixed, record.name, extra]);
};

/** Stands in the directory at the end of the file. */
export const centralHeader = (record: ZipRecord): Buffer => {
  const { size, compressedSize, offset, mode, name } = record;
  const large = [size, compressedSize, offset].filter((value) => value >= LIMIT_32);
  const extra = Buffer.concat([...(large.length > 0 ? [zip64Field(large)] : []), timeField(record.mtimeMs)]);
  const fixed = Buffer.alloc(46);
  fixed.writeUInt32LE(0x02014b50, 0);
  fixed.writeUInt16LE(MADE_ON_UNIX | VERSION_ZIP64, 4);
  fixed.writeUInt16LE(large.length > 0 ? VERSION_ZIP64 : versionFor(record), 6);
  writeCommon(fixed, 8, record);
  fixed.writeUInt32LE(Math.min(compressedSize, LIMIT_32), 20);
  fixed.writeUInt32LE(Math.min(size, LIMIT_32), 24);
  fixed.writeUInt16LE(name.byteLength, 28);
  fixed.writeUInt16LE(extra.byteLength, 30);
  // The lower half is for DOS: all it can know is that this is a directory.
  fixed.writeUInt32LE(((mode << 16) >>> 0) + (isDirectory(mode) ? 0x10 : 0), 38);
  fixed.writeUInt32LE(Math.min(offset, LIMIT_32), 42);
  return Buffer.concat([fixed, name, extra]);
};

/** Ends the file: where the directory lies, in the wide form too where the numbers need it. */
export const endRecords = ({ count, size, offset }: { readonly count: number; readonly size: number; readonly offset: number }): Buffer => {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Math.min(count, LIMIT_16), 8);
  end.writeUInt16LE(Math.min(count, LIMIT_16), 10);
  end.writeUInt32LE(Math.min(size, LIMIT_32), 12);
  end.writeUInt32LE(Math.min(offset, LIMIT_32), 16);
  if (count < LIMIT_16 && size < LIMIT_32 && offset < LIMIT_32) return end;
  const wide = Buffer.alloc(56);
  wide.writeUInt32LE(0x06064b50, 0);
  wide.writeBigUInt64LE(44n, 4);
  wide.writeUInt16LE(MADE_ON_UNIX | VERSION_ZIP64, 12);
  wide.writeUInt16LE(VERSION_ZIP64, 14);
  for (const [value, at] of [
    [count, 24],
    [count, 32],
    [size, 40],
    [offset, 48],
  ] as const)
    wide.writeBigUInt64LE(BigInt(value), at);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(offset + size), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([wide, locator, end]);
};

/** Flags, method, time and check sum stand in the same order in both headers. */
const writeCommon = (into: Buffer, at: number, { isUtf8, method, mtimeMs, checksum }: ZipRecord): void => {
  const { date, time } = dosTime(mtimeMs);
  into.writeUInt16LE(isUtf8 ? FLAG_UTF8 : 0, at);
  into.writeUInt16LE(method, at + 2);
  into.writeUInt16LE(time, at + 4);
  into.writeUInt16LE(date, at + 6);
  into.writeUInt32LE(checksum, at + 8);
};

const versionFor = ({ isZip64 }: ZipRecord): number => (isZip64 ? VERSION_ZIP64 : VERSION_PLAIN);

const isDirectory = (mode: number): boolean => (mode & 0o170000) === 0o040000;

const zip64Field = (values: readonly number[]): Buffer => {
  const field = Buffer.alloc(4 + values.length * 8);
  field.writeUInt16LE(0x0001, 0);
  field.writeUInt16LE(values.length * 8, 2);
  for (const [index, value] of values.entries()) field.writeBigUInt64LE(BigInt(value), 4 + index * 8);
  return field;
};

/** Seconds since 1970, which DOS time cannot say: it has two-second steps and no time zone. */
const timeField = (mtimeMs: number): Buffer => {
  const seconds = Math.floor(mtimeMs / 1000);
  if (seconds < -(2 ** 31) || seconds >= 2 ** 31) return Buffer.alloc(0);
  const field = Buffer.alloc(9);
  field.writeUInt16LE(0x5455, 0);
  field.writeUInt16LE(5, 2);
  field.writeUInt8(1, 4);
  field.writeInt32LE(seconds, 5);
  return field;
};

/** Local time from 1980 to 2107; other times become the nearest of these. */
const dosTime = (mtimeMs: number): { readonly date: number; readonly time: number } => {
  const at = new Date(mtimeMs);
  const year = at.getFullYear();
  if (year < 1980) return { date: 0x0021, time: 0 };
  if (year > 2107) return { date: 0xff9f, time: 0xbf7d };
  return {
    date: ((year - 1980) << 9) | ((at.getMonth() + 1) << 5) | at.getDate(),
    time: (at.getHours() << 11) | (at.getMinutes() << 5) | (at.getSeconds() >> 1),
  };
};
