import { isUtf8 } from 'node:buffer';
import { giveWay, isSliceOver } from '../../async/in-slices.ts';
import { shownBytes } from '../../fs/raw-names.ts';
import { crc32 } from '../../hash/crc32.ts';
import { broken } from '../broken.ts';
import { type ByteSource, bytesAt } from '../byte-source.ts';
import type { ArchiveEntryKind } from '../entry.ts';
import { decodeCp437 } from './cp437.ts';
import { extraFields, mtimeFrom } from './extra-fields.ts';
import { wide, type ZipDirectory } from './find-directory.ts';
import type { ZipEntry } from './zip-entry.ts';

const HEADER_BYTES = 46;
const LIMIT_32 = 0xffffffff;
const FLAG_ENCRYPTED = 0x1;
const FLAG_STRONG = 0x40;
const FLAG_UTF8 = 0x800;
/** Systems whose upper attributes are Unix modes: Unix and macOS. */
const UNIX_MAKERS = new Set([3, 19]);

/** Systems where a backslash separates names: DOS and Windows (FAT, HPFS, NTFS, VFAT). */
const DOS_MAKERS = new Set([0, 6, 10, 14]);

/** All entries of the directory; hostile names are read as they are. A large one gives way to others. */
export const readDirectory = async (
  source: ByteSource,
  { count, offset, size, shift }: ZipDirectory,
  signal: AbortSignal,
): Promise<ZipEntry[]> => {
  const bytes = await bytesAt(source, offset, size);
  const entries: ZipEntry[] = [];
  let at = 0;
  while (at < bytes.byteLength) {
    if (isSliceOver(entries.length)) await giveWay(signal);
    if (at + HEADER_BYTES > bytes.byteLength || bytes.readUInt32LE(at) !== 0x02014b50)
      throw broken('has something else where its directory should be');
    const nameAt = at + HEADER_BYTES;
    const extraAt = nameAt + bytes.readUInt16LE(at + 28);
    const commentAt = extraAt + bytes.readUInt16LE(at + 30);
    const end = commentAt + bytes.readUInt16LE(at + 32);
    if (end > bytes.byteLength) throw broken('has a directory that ends in the middle of an entry');
    entries.push(readEntry(bytes.subarray(at, nameAt), bytes.subarray(nameAt, extraAt), bytes.subarray(extraAt, commentAt), shift));
    at = end;
  }
  if (entries.length !== count) throw broken(`has ${entries.length} entries in its directory but claims ${count}`);
  return entries;
};

const readEntry = (header: Buffer, rawName: Buffer, extra: Buffer, shift: number): ZipEntry => {
  const flags = header.readUInt16LE(8);
  const fields = extraFields(extra);
  const [dosTime, dosDate] = [header.readUInt16LE(12), header.readUInt16LE(14)];
  const [madeBy, attributes] = [header.readUInt16LE(4), header.readUInt32LE(38)];
  const isFromUnix = UNIX_MAKERS.has(madeBy >> 8);
  // Info-ZIP on Unix writes UTF-8 without saying so.
  const claimsUtf8 = (flags & FLAG_UTF8) !== 0 || (isFromUnix && isUtf8(rawName));
  const { name, otherNames, isMisencoded } = asSeparated(namesOf(rawName, claimsUtf8, fields.get(0x7075)), DOS_MAKERS.has(madeBy >> 8));
  const mode = isFromUnix ? attributes >>> 16 : undefined;
  return {
    name,
    otherNames,
    isMisencoded,
    ...kindOf(name, mode, attributes),
    ...sizesOf(header, fields.get(0x0001), shift),
    mtimeMs: mtimeFrom(fields, dosDate, dosTime),
    mode: mode === undefined ? undefined : mode & 0o7777,
    rawName,
    flags,
    method: header.readUInt16LE(10),
    checksum: header.readUInt32LE(16),
    dosTime,
    dosDate,
    isEncrypted: (flags & FLAG_ENCRYPTED) !== 0,
    aesField: fields.get(0x9901),
    isStronglyEncrypted: (flags & FLAG_ENCRYPTED) !== 0 && ((flags & FLAG_STRONG) !== 0 || fields.has(0x0017)),
  };
};

/** The wide field holds only those numbers whose narrow place is full, in this order. */
const sizesOf = (header: Buffer, wideField: Buffer | undefined, shift: number) => {
  let at = 0;
  const take = (narrow: number): number => {
    if (narrow !== LIMIT_32 || wideField === undefined) return narrow;
    if (at + 8 > wideField.byteLength) throw broken('has an entry without the wide number it announces');
    at += 8;
    return wide(wideField, at - 8);
  };
  const size = take(header.readUInt32LE(24));
  const packedSize = take(header.readUInt32LE(20));
  const offset = take(header.readUInt32LE(42)) + shift;
  return { size, packedSize, offset };
};

interface Names {
  readonly name: string;
  readonly otherNames: readonly string[];
  readonly isMisencoded: boolean;
}

/** Some programs of Windows write its separator where the format wants `/`; where there is one of these, a backslash is part of a character. */
const asSeparated = (names: Names, isFromDos: boolean): Names => {
  const own = (name: string) => (name.includes('/') ? name : name.replaceAll('\\', '/'));
  return isFromDos && !names.isMisencoded ? { ...names, name: own(names.name), otherNames: names.otherNames.map(own) } : names;
};

/** The name, and the one that Info-ZIP would take from an extra field instead. */
const namesOf = (raw: Buffer, claimsUtf8: boolean, unicodePath: Buffer | undefined): Names => {
  const own = claimsUtf8 ? shownBytes(raw) : decodeCp437(raw);
  const isMisencoded = claimsUtf8 && !isUtf8(raw);
  if (unicodePath === undefined || unicodePath.byteLength < 5) return { name: own, otherNames: [], isMisencoded };
  const better = unicodePath.subarray(5);
  const isMeant = unicodePath[0] === 1 && unicodePath.readUInt32LE(1) === crc32(raw);
  const decoded = shownBytes(better);
  return { name: isMeant ? decoded : own, otherNames: [isMeant ? own : decoded], isMisencoded: isMisencoded || !isUtf8(better) };
};

const KINDS: ReadonlyMap<number, { readonly kind: ArchiveEntryKind; readonly about?: string }> = new Map([
  [0o100000, { kind: 'file' }],
  [0o040000, { kind: 'dir' }],
  [0o120000, { kind: 'symlink' }],
  [0o010000, { kind: 'special', about: 'a named pipe' }],
  [0o020000, { kind: 'special', about: 'a character device' }],
  [0o060000, { kind: 'special', about: 'a block device' }],
  [0o140000, { kind: 'special', about: 'a socket' }],
]);

const kindOf = (
  name: string,
  mode: number | undefined,
  attributes: number,
): { readonly kind: ArchiveEntryKind; readonly about?: string } => {
  const byMode = mode === undefined ? undefined : KINDS.get(mode & 0o170000);
  if (byMode !== undefined && byMode.kind !== 'file') return byMode;
  return { kind: name.endsWith('/') || (mode === undefined && (attributes & 0x10) !== 0) ? 'dir' : 'file' };
};
