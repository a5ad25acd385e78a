import { isUtf8 } from 'node:buffer';
import { shownBytes } from '../../../fs/raw-names.ts';
import { windowsTimeMs } from '../../dos-time.ts';
import { type Fields, fieldsOf } from '../fields.ts';
import { varint } from './varint.ts';

/** What the extra area of a file header says. */
export interface Rar5Extra {
  readonly isEncrypted: boolean;
  readonly isMisencoded: boolean;
  readonly blake2sp?: Uint8Array;
  readonly mtimeMs?: number;
  /** Of an older version of a file that is kept beside the new one. */
  readonly version?: number;
  /** The number of a kind of link, and where it leads. */
  readonly redirection?: number;
  readonly target?: string;
}

const RECORD = { encryption: 1, hash: 2, time: 3, version: 4, redirection: 5 };
const BLAKE2SP = 0;
const BLAKE2SP_BYTES = 32;
const TIME = { isUnix: 0x01, hasMtime: 0x02, hasCtime: 0x04, hasAtime: 0x08, hasNanoseconds: 0x10 };

/** Reads the records of the area; those it does not know are passed over. */
export const readExtra = (bytes: Buffer): Rar5Extra => {
  let extra: Rar5Extra = { isEncrypted: false, isMisencoded: false };
  for (const area = fieldsOf(bytes); area.left > 0; ) {
    const record = fieldsOf(area.take(varint(area)));
    extra = { ...extra, ...readRecord(varint(record), record) };
  }
  return extra;
};

const readRecord = (type: number, record: Fields): Partial<Rar5Extra> => {
  switch (type) {
    case RECORD.encryption:
      return { isEncrypted: true };
    case RECORD.hash:
      return varint(record) === BLAKE2SP ? { blake2sp: record.take(BLAKE2SP_BYTES) } : {};
    case RECORD.time:
      return readTime(record);
    case RECORD.version:
      varint(record); // no flags are defined
      return { version: varint(record) };
    case RECORD.redirection:
      return readRedirection(record);
    default:
      return {};
  }
};

const readTime = (record: Fields): Partial<Rar5Extra> => {
  const flags = varint(record);
  if ((flags & TIME.hasMtime) === 0) return {};
  if ((flags & TIME.isUnix) === 0) return { mtimeMs: windowsTimeMs(record.take(8).readBigUInt64LE(0)) };
  const seconds = record.u32();
  if ((flags & TIME.hasNanoseconds) === 0) return { mtimeMs: seconds * 1000 };
  // Seconds of all times come first, then their nanoseconds.
  for (const other of [TIME.hasCtime, TIME.hasAtime]) if ((flags & other) !== 0) record.u32();
  return { mtimeMs: seconds * 1000 + (record.u32() & 0x3fffffff) / 1e6 };
};

const readRedirection = (record: Fields): Partial<Rar5Extra> => {
  const redirection = varint(record);
  varint(record); // whether the target is a directory
  const target = record.take(varint(record));
  return { redirection, target: shownBytes(target), ...(!isUtf8(target) && { isMisencoded: true }) };
};
