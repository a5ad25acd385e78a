import { broken } from '../broken.ts';
import type { ArchiveEntry, ArchiveEntryKind } from '../entry.ts';
import { decodeName, type TarHeader } from './header.ts';

/** What headers before the entry's own said about it. */
export interface TarExtras {
  readonly pax?: ReadonlyMap<string, Buffer>;
  /** GNU's long name and long link target. */
  readonly name?: Buffer;
  readonly linkName?: Buffer;
}

const KINDS: ReadonlyMap<string, ArchiveEntryKind> = new Map([
  ['0', 'file'],
  ['\0', 'file'],
  ['1', 'hardlink'],
  ['2', 'symlink'],
  ['5', 'dir'],
]);

const SPECIAL: ReadonlyMap<string, string> = new Map([
  ['3', 'a character device'],
  ['4', 'a block device'],
  ['6', 'a named pipe'],
  ['7', 'a contiguous file'],
  ['S', 'a sparse file'],
]);

/** An entry from its header and what came before it. */
export const entryFrom = (header: TarHeader, { pax, name, linkName }: TarExtras): ArchiveEntry => {
  const own = decodeName(pax?.get('path') ?? name ?? header.name);
  const target = decodeName(pax?.get('linkpath') ?? linkName ?? header.linkName);
  const size = sizeFrom(pax?.get('size')) ?? header.size;
  const kind = kindOf(header.type, own.text, pax);
  if (kind !== 'file' && kind !== 'special' && size > 0) throw broken('has an entry that is no file but has content');
  return {
    name: own.text,
    otherNames: [],
    isMisencoded: own.isMisencoded || target.isMisencoded,
    kind,
    ...(kind === 'special' && {
      about: SPECIAL.get(header.type) ?? (header.type === '0' ? 'a sparse file' : `of the unknown type ${JSON.stringify(header.type)}`),
    }),
    size,
    mtimeMs: (numberFrom(pax?.get('mtime')) ?? header.mtimeS) * 1000,
    mode: header.mode & 0o7777,
    ...((kind === 'symlink' || kind === 'hardlink') && { linkTarget: target.text }),
  };
};

const kindOf = (type: string, name: string, pax: TarExtras['pax']): ArchiveEntryKind => {
  const kind = KINDS.get(type) ?? 'special';
  if (kind !== 'file') return kind;
  if (pax !== undefined && [...pax.keys()].some((key) => key.startsWith('GNU.sparse.'))) return 'special';
  // Before directories had a type of their own, the end of the name told them.
  return name.endsWith('/') ? 'dir' : 'file';
};

const sizeFrom = (record: Buffer | undefined): number | undefined => {
  if (record === undefined) return undefined;
  const text = record.toString('latin1');
  const size = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(size)) throw broken('has an entry whose size is no number');
  return size;
};

const numberFrom = (record: Buffer | undefined): number | undefined => {
  const value = record === undefined ? Number.NaN : Number(record.toString('latin1'));
  return Number.isFinite(value) ? value : undefined;
};
