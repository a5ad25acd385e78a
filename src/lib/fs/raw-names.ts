import { isUtf8 } from 'node:buffer';
import { closeSync, type Dirent, lstatSync, openSync, readdirSync, readlinkSync, type Stats } from 'node:fs';
import { sep } from 'node:path';
import type { EntryKind } from '../../core/files.ts';
import { DIRECTORY_FLAGS, faultOfOpen } from './directory-handle.ts';
import { descriptorPath } from './handles.ts';
import { isOwnPlace } from './own-names.ts';
import { ownFault, systemFault } from './system-fault.ts';

/** What Node puts in the place of bytes that are no UTF-8; a name with it may name something else, or nothing. */
export const NO_TEXT = '\uFFFD';

/** A name that is no text: it can only be used as the bytes it is. */
export interface RawName {
  readonly bytes: Buffer;
  readonly kind: EntryKind;
}

/** What stands in a directory whose names need a closer look. */
export interface NamesOfBytes {
  /** The names that are texts. */
  readonly texts: ReadonlySet<string>;
  readonly raw: readonly RawName[];
}

/** Bytes as a text: in their encoding, or with `\xff` for each that is no letter of ASCII, so that different ones never look alike. */
export const shownBytes = (bytes: Buffer): string =>
  isUtf8(bytes)
    ? bytes.toString()
    : bytes.toString('latin1').replaceAll(/[^\x20-\x7e]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);

/** Reads a directory once more, for whoever has met a doubtful name in it. */
export const readBytes = (address: string): NamesOfBytes => {
  const texts = new Set<string>();
  const raw: RawName[] = [];
  for (const entry of readdirSync(address, { withFileTypes: true, encoding: 'buffer' })) {
    if (isUtf8(entry.name)) texts.add(entry.name.toString());
    else raw.push({ bytes: entry.name, kind: kindOf(entry, Buffer.from(address)) });
  }
  return { texts, raw: raw.sort((a, b) => a.bytes.compare(b.bytes)) };
};

/** The refusal to use a name that is no text, as `entry` of the directory that whoever catches it names. */
export const rawNameFault = (name: RawName, syscall: string): NodeJS.ErrnoException & { readonly entry: string } => {
  const entry = shownBytes(name.bytes);
  return Object.assign(systemFault('EILSEQ', syscall, entry), { entry });
};

/** What a link says. EILSEQ where that is not UTF-8. */
export const readLinkText = (address: string): string => {
  const target = readlinkSync(address, 'buffer');
  if (!isUtf8(target)) throw systemFault('EILSEQ', 'readlink', address);
  return target.toString();
};

/**
 * Visits an entry that has no name as text, and everything below it, what is inside before what holds it. Directories are held open: one
 * that is swapped for a link is not followed. EILSEQ where the system cannot do that.
 */
export const visitRaw = (directory: string, name: RawName, visit: (address: Buffer, kind: EntryKind) => void): void => {
  const address = below(Buffer.from(directory), name.bytes);
  if (name.kind === 'dir') visitInside(address, name, visit);
  visit(address, name.kind);
};

const visitInside = (address: Buffer, name: RawName, visit: (address: Buffer, kind: EntryKind) => void): void => {
  const fd = openHeld(address, name);
  try {
    const held = descriptorPath(fd);
    if (held === undefined) throw rawNameFault(name, 'opendir');
    for (const entry of readdirSync(held, { withFileTypes: true, encoding: 'buffer' })) {
      if (isOwnPlace(entry.name.toString())) throw ownFault('EKEPT');
      visitRaw(held, { bytes: entry.name, kind: kindOf(entry, Buffer.from(held)) }, visit);
    }
  } finally {
    closeSync(fd);
  }
};

const openHeld = (address: Buffer, { bytes }: RawName): number => {
  try {
    return openSync(address, DIRECTORY_FLAGS);
  } catch (fault) {
    throw faultOfOpen(fault, shownBytes(bytes));
  }
};

const below = (directory: Buffer, name: Buffer): Buffer => Buffer.concat([directory, Buffer.from(sep), name]);

/** Some file systems list names without kinds. */
const kindOf = (entry: Dirent<Buffer>, directory: Buffer): EntryKind =>
  kindFrom(entry) ?? kindFrom(lstatSync(below(directory, entry.name), { throwIfNoEntry: false })) ?? 'other';

const kindFrom = (told: Dirent<Buffer> | Stats | undefined): EntryKind | undefined => {
  if (told?.isFile()) return 'file';
  if (told?.isDirectory()) return 'dir';
  return told?.isSymbolicLink() ? 'link' : undefined;
};
