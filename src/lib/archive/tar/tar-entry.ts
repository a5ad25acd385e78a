import { broken } from '../broken.ts';
import { type ArchiveEntry, type ArchiveEntryKind, shortName, shownName } from '../entry.ts';
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
  // A directory with a list of what was in it, of GNU's incremental archives.
  ['D', 'dir'],
  // A sparse file of GNU's older form.
  ['S', 'file'],
]);

/** Kinds that have a size field but no content, whatever it says. */
const WITHOUT_CONTENT = new Set(['1', '2', '5']);

const SPECIAL: ReadonlyMap<string, string> = new Map([
  ['3', 'a character device'],
  ['4', 'a block device'],
  ['6', 'a named pipe'],
  ['7', 'a contiguous file'],
  ['M', 'the rest of a file of another volume'],
]);

/** An entry as its header has it, and how many bytes of the archive belong to it. */
export interface TarEntry {
  readonly entry: ArchiveEntry;
  readonly stored: number;
}

/** An entry from its header and what came before it. */
export const entryFrom = (header: TarHeader, { pax, name, linkName }: TarExtras): TarEntry => {
  const own = decodeName(pax?.get('GNU.sparse.name') ?? pax?.get('path') ?? name ?? header.name);
  const target = decodeName(pax?.get('linkpath') ?? linkName ?? header.linkName);
  const stored = WITHOUT_CONTENT.has(header.type) ? 0 : (sizeFrom(pax?.get('size')) ?? header.size);
  const kind = kindOf(header.type, own.text);
  if (stored > 0 && isDisputed(header.type, kind)) throw hidesEntries(own.text);
  const entry: ArchiveEntry = {
    name: own.text,
    otherNames: [],
    isMisencoded: own.isMisencoded || target.isMisencoded,
    kind,
    ...(kind === 'special' && {
      about: SPECIAL.get(header.type) ?? `of the unknown type ${JSON.stringify(header.type)}`,
    }),
    size: kind === 'dir' ? 0 : stored,
    mtimeMs: (secondsFrom(pax?.get('mtime')) ?? header.mtimeS) * 1000,
    mode: header.mode & 0o7777,
    ...((kind === 'symlink' || kind === 'hardlink') && { linkTarget: target.text }),
  };
  return { entry, stored };
};

const kindOf = (type: string, name: string): ArchiveEntryKind => {
  const kind = KINDS.get(type) ?? 'special';
  if (kind !== 'file') return kind;
  // Before directories had a type of their own, the end of the name told them.
  return name.endsWith('/') && type !== 'S' ? 'dir' : 'file';
};

const sizeFrom = (record: Buffer | undefined): number | undefined => {
  if (record === undefined) return undefined;
  const text = record.toString('latin1');
  const size = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(size)) throw broken('has an entry whose size is no number');
  return size;
};

/** An empty record takes back what was said before it. */
const secondsFrom = (record: Buffer | undefined): number | undefined => {
  const text = record?.toString('latin1') ?? '';
  if (text === '') return undefined;
  if (!/^-?(\d+(\.\d*)?|\.\d+)$/.test(text)) throw broken('has an entry whose time is no number');
  return Number(text);
};

/** Devices and pipes, which have no content in any program. */
const NODES = new Set(['3', '4', '6']);

/** Whether some programs skip a content here and others, which expect none, take its bytes for entries. */
const isDisputed = (type: string, kind: ArchiveEntryKind): boolean =>
  NODES.has(type) || (kind === 'dir' && (type === '0' || type === '\0'));

const hidesEntries = (name: string) =>
  broken(`gives a size to ${shownName(name)}, which has no content, so that other programs read other entries behind it`, {
    entry: shortName(name),
    reason: 'hidden_entries',
  });
