import { type Dirent, readdirSync } from 'node:fs';
import { isAbsolute, sep } from 'node:path';
import type { Listed } from '../core/files.ts';
import { entryPath } from '../lib/fs/directory-handle.ts';
import { isOwnPlace, withoutOwn } from '../lib/fs/own-names.ts';
import { NO_TEXT, type RawName, rawNameFault, readBytes } from '../lib/fs/raw-names.ts';
import { kindOf, statAt } from './entry.ts';

/** The entries of a directory without ours, names sorted. EILSEQ where a name is not UTF-8: as text it would name something else. */
export const readNames = (address: string): Listed[] => allTexts(readApart(address, withoutOwn));

/** All entries of a directory, for whoever must leave nothing behind. */
export const readAllNames = (address: string): Listed[] => allTexts(readApart(address, (found) => found));

/** The entries of a directory, and apart from them the names that are not UTF-8. */
export interface NamesApart {
  readonly entries: Listed[];
  readonly raw: readonly RawName[];
}

/** The entries of a directory without ours, for whoever goes on without what has no name as text. */
export const readNamesApart = (address: string): NamesApart => readApart(address, withoutOwn);

/** All of them, for whoever can do without texts. */
export const readAllNamesApart = (address: string): NamesApart => readApart(address, (found) => found);

const readApart = (address: string, choose: (found: readonly Dirent[]) => readonly Dirent[]): NamesApart => {
  const found = choose(readdirSync(address, { withFileTypes: true }));
  if (!found.some(({ name }) => name.includes(NO_TEXT))) return { entries: readEntries(address, found), raw: [] };
  const { texts, raw } = readBytes(address);
  // Two names may look alike as texts, and only one of them is one.
  const known = new Map(found.filter(({ name }) => texts.has(name)).map((entry) => [entry.name, entry]));
  return { entries: readEntries(address, [...known.values()]), raw };
};

const allTexts = ({ entries, raw: [first] }: NamesApart): Listed[] => {
  if (first !== undefined) throw rawNameFault(first, 'readdir');
  return entries;
};

/** The name of a directory of ours in another one; what cannot be read has none. */
export const findOwnPlace = (address: string): string | undefined => {
  try {
    return readdirSync(address).find(isOwnPlace);
  } catch {
    return undefined; // whoever lists it is told
  }
};

const readEntries = (address: string, found: readonly Dirent[]): Listed[] => {
  const entries: Listed[] = [];
  for (const entry of found) {
    // Some file systems list names without kinds; an entry that is gone by now is not there.
    const told = kindOf(entry) === 'other' || entry.name.includes(NO_TEXT) ? statAt(entryPath(address, entry.name)) : entry;
    if (told !== undefined) entries.push({ name: entry.name, kind: kindOf(told) });
  }
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
};

/** The path that a link in a directory leads to: joined as text, because `..` counts only after links are followed. */
export const pathOfLink = (directory: string, target: string): string => (isAbsolute(target) ? target : directory + sep + target);
