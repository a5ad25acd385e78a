import { UNCHECKED } from '../demand-readable.ts';
import type { ForeignEntry } from '../foreign-entry.ts';
import { kindByMode } from '../rar/rar-entry.ts';
import type { ListedFile } from './files.ts';
import { whyUnreadable } from './methods.ts';
import type { SevenHeader } from './read-header.ts';
import { damaged7z } from './seven-fields.ts';
import type { Content, Folder } from './streams.ts';

/** An entry of a 7z archive. */
export interface SevenEntry extends ForeignEntry {
  /** The place of its content among all contents. */
  readonly content: number | undefined;
}

const HAS_MODE = 0x8000;
const REPARSE_POINT = 0x400;
const DOS_DIRECTORY = 0x10;

/** The entries of an archive; contents are dealt out in the order of those that have one. */
export const entriesOf = ({ streams, files }: SevenHeader): SevenEntry[] => {
  const { folders, contents } = streams;
  if (files.filter(({ hasContent }) => hasContent).length !== contents.length) throw damaged7z();
  let next = 0;
  let folderSeen = -1;
  return files.map((file) => {
    const index = file.hasContent ? next++ : undefined;
    const content = index === undefined ? undefined : contents[index];
    const folder = content === undefined ? undefined : folders[content.folder];
    // What is packed together counts with the first of them.
    const isFirst = content !== undefined && content.folder !== folderSeen;
    folderSeen = content?.folder ?? folderSeen;
    return entryFrom(file, content, folder, { index, packedSize: isFirst ? packedSizeOf(folder) : 0 });
  });
};

const packedSizeOf = (folder: Folder | undefined): number => folder?.packs.reduce((sum, { size }) => sum + size, 0) ?? 0;

const entryFrom = (
  file: ListedFile,
  content: Content | undefined,
  folder: Folder | undefined,
  { index, packedSize }: { readonly index: number | undefined; readonly packedSize: number },
): SevenEntry => {
  const { name, isMisencoded, mtimeMs, attributes } = file;
  const mode = attributes !== undefined && (attributes & HAS_MODE) !== 0 ? attributes >>> 16 : undefined;
  const size = content?.size ?? 0;
  const unreadable =
    (folder === undefined ? undefined : whyUnreadable(folder.methods)) ??
    (size > 0 && content?.crc32 === undefined ? UNCHECKED : undefined);
  return {
    name,
    otherNames: [],
    isMisencoded,
    ...kindOf(file, mode),
    size,
    packedSize,
    mtimeMs,
    mode: mode === undefined ? undefined : mode & 0o7777,
    checks: content?.crc32 === undefined ? {} : { crc32: content.crc32 },
    ...(unreadable !== undefined && { unreadable }),
    content: index,
  };
};

const kindOf = ({ isAnti, isDir, attributes = 0 }: ListedFile, mode: number | undefined): Pick<SevenEntry, 'kind' | 'about'> => {
  if (isAnti) return { kind: 'special', about: 'a mark for something to be deleted' };
  if (mode !== undefined && !isDir) return kindByMode(mode) ?? { kind: 'file' };
  if ((attributes & REPARSE_POINT) !== 0) return { kind: 'special', about: 'a link of Windows' };
  return { kind: isDir || (attributes & DOS_DIRECTORY) !== 0 ? 'dir' : 'file' };
};
