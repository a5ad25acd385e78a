import { isUtf8 } from 'node:buffer';
import { type Dirent, readdirSync, readlinkSync } from 'node:fs';
import { isAbsolute, sep } from 'node:path';
import type { Listed } from '../core/files.ts';
import { entryPath } from '../lib/fs/directory-handle.ts';
import { isOwnPlace, withoutOwn } from '../lib/fs/own-names.ts';
import { systemFault } from '../lib/fs/system-fault.ts';
import { kindOf, statAt } from './entry.ts';

/** The entries of a directory without ours, names sorted. EILSEQ where a name is not UTF-8: as text it would name something else. */
export const readNames = (address: string): Listed[] => listed(address, withoutOwn(readdirSync(address, { withFileTypes: true })));

/** All entries of a directory, for whoever must leave nothing behind. */
export const readAllNames = (address: string): Listed[] => listed(address, readdirSync(address, { withFileTypes: true }));

/** All entries of a directory, and apart from them the names that are not UTF-8, as they can be shown. */
export interface NamesApart {
  readonly entries: readonly Listed[];
  readonly unnamed: readonly string[];
}

/** The same for whoever goes on without what has no name as text. */
export const readNamesApart = (address: string): NamesApart => {
  const found = readdirSync(address, { withFileTypes: true });
  if (!found.some(({ name }) => name.includes('\uFFFD'))) return { entries: listed(address, found), unnamed: [] };
  const all = readdirSync(address, 'buffer');
  const texts = new Set(all.flatMap((name) => (isUtf8(name) ? [name.toString()] : [])));
  const entries = readEntries(
    address,
    found.filter(({ name }) => texts.has(name)),
  );
  return { entries, unnamed: all.flatMap((name) => (isUtf8(name) ? [] : [escaped(name)])) };
};

/** Bytes that are no letters of ASCII as `\xff`. */
const escaped = (name: Buffer): string =>
  name.toString('latin1').replaceAll(/[^\x20-\x7e]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);

/** The name of a directory of ours in another one; what cannot be read has none. */
export const findOwnPlace = (address: string): string | undefined => {
  try {
    return readdirSync(address).find(isOwnPlace);
  } catch {
    return undefined; // whoever lists it is told
  }
};

const listed = (address: string, found: readonly Dirent[]): Listed[] => {
  if (found.some(({ name }) => name.includes('\uFFFD'))) demandText(address);
  return readEntries(address, found);
};

const readEntries = (address: string, found: readonly Dirent[]): Listed[] => {
  const entries: Listed[] = [];
  for (const entry of found) {
    // Some file systems list names without kinds; an entry that is gone by now is not there.
    const told = kindOf(entry) === 'other' ? statAt(entryPath(address, entry.name)) : entry;
    if (told !== undefined) entries.push({ name: entry.name, kind: kindOf(told) });
  }
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
};

/** What a link says. EILSEQ where that is not UTF-8. */
export const readLinkText = (address: string): string => {
  const target = readlinkSync(address, 'buffer');
  if (!isUtf8(target)) throw systemFault('EILSEQ', 'readlink', address);
  return target.toString();
};

/** The path that a link in a directory leads to: joined as text, because `..` counts only after links are followed. */
export const pathOfLink = (directory: string, target: string): string => (isAbsolute(target) ? target : directory + sep + target);

const demandText = (address: string): void => {
  for (const name of readdirSync(address, 'buffer')) if (!isUtf8(name)) throw systemFault('EILSEQ', 'readdir', address);
};
