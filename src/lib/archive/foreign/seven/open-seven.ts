import { broken } from '../../broken.ts';
import type { ByteSource } from '../../byte-source.ts';
import { counted } from '../../counted.ts';
import { type ArchiveEntry, shortName, shownName } from '../../entry.ts';
import { createMeter, demandEntries } from '../../limits.ts';
import type { OpenArchive, OpenOptions, TakeContent } from '../../open-archive.ts';
import { checked } from '../checked.ts';
import { demandForeignReadable } from '../demand-readable.ts';
import { demandMemory, unpackForeign } from '../unpack.ts';
import { unverified } from '../unverified.ts';
import { foldersAlone } from './folders-alone.ts';
import { readSevenHeader } from './read-header.ts';
import { entriesOf, type SevenEntry } from './seven-entry.ts';
import { damaged7z } from './seven-fields.ts';
import type { Folder } from './streams.ts';

const MAX_LINK_BYTES = 4096;
/** Folders that are packed to less than this go to the reader together. */
const BATCH_BYTES = 16 * 1024 * 1024;

/** Reads a 7z archive: headers by ourselves, contents by foreign code whose results are checked. */
export const openSeven = async (source: ByteSource, { limits, signal }: OpenOptions): Promise<OpenArchive> => {
  const header = await readSevenHeader(source, signal);
  const { folders, contents } = header.streams;
  const entries = entriesOf(header);
  demandEntries(entries.length, limits);
  if (folders.some(({ packs }) => packs.some(({ at, size }) => at + size > source.size))) throw damaged7z();
  const byContent = new Map(entries.flatMap((entry, index) => (entry.content === undefined ? [] : [[entry.content, index] as const])));

  /** Unpacks the folders that hold something wanted, and hands that over. */
  const unpack = async (wanted: ReadonlySet<number>, take: TakeContent): Promise<void> => {
    const chosen = folders.map((_, folder) => contents.flatMap((each, at) => (each.folder === folder ? [at] : [])));
    for (const batch of batchesOf(folders, (folder) => chosen[folder]?.some((at) => wanted.has(byContent.get(at) ?? -1)) === true)) {
      const input = foldersAlone(
        source,
        batch.flatMap((folder) => folders[folder] ?? []),
        '7z',
      );
      await unpackForeign(input, signal, async (bytes) => {
        for (const at of batch.flatMap((folder) => chosen[folder] ?? [])) {
          const index = byContent.get(at) ?? -1;
          const entry = entries[index];
          if (entry === undefined || !wanted.has(index)) await bytes.skip(contents[at]?.size ?? 0);
          else await take(index, checked(bytes.stream(entry.size), entry, entry.checks, unverified('7z')));
        }
      });
    }
  };

  const targetsOf = async (links: readonly SevenEntry[]): Promise<ReadonlyMap<SevenEntry, string>> => {
    const long = links.find(({ size }) => size > MAX_LINK_BYTES);
    if (long !== undefined)
      throw broken(`has a link, ${shownName(long.name)}, with a target of more than ${MAX_LINK_BYTES} bytes`, {
        entry: shortName(long.name),
      });
    const targets = new Map<SevenEntry, string>();
    await unpack(new Set(links.map((link) => entries.indexOf(link))), async (index, content) => {
      const parts: Buffer[] = [];
      for await (const chunk of content) parts.push(Buffer.from(chunk));
      const link = entries[index];
      if (link !== undefined) targets.set(link, Buffer.concat(parts).toString('utf8'));
    });
    return targets;
  };

  return {
    entries,
    async examine(wanted) {
      const chosen = wanted.flatMap((index) => entries[index] ?? []);
      for (const entry of chosen) {
        demandForeignReadable(entry, '7z');
        demandMemory(entry.packedSize, '7z');
      }
      const links = chosen.filter(({ kind, content }) => kind === 'symlink' && content !== undefined);
      const targets = links.length === 0 ? undefined : await targetsOf(links);
      return chosen.map((entry): ArchiveEntry => {
        const linkTarget = targets?.get(entry);
        return linkTarget === undefined ? entry : { ...entry, linkTarget };
      });
    },
    async read(wanted, take) {
      const meter = createMeter({ maxBytes: limits.maxBytes });
      const give: TakeContent = (index, content) => take(index, counted(content, meter.produced));
      for (const index of wanted) if (entries[index]?.content === undefined) await give(index, nothing());
      await unpack(new Set(wanted), give);
    },
  };
};

/** Small folders together, large ones alone; only those that are wanted. */
const batchesOf = (folders: readonly Folder[], isWanted: (folder: number) => boolean): number[][] => {
  const batches: number[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const [folder, { packs }] of folders.entries()) {
    if (!isWanted(folder)) continue;
    const own = packs.reduce((sum, { size }) => sum + size, 0);
    if (bytes + own > BATCH_BYTES) {
      batches.push([]);
      bytes = 0;
    }
    batches.at(-1)?.push(folder);
    bytes += own;
  }
  return batches;
};

async function* nothing(): AsyncGenerator<Uint8Array> {}
