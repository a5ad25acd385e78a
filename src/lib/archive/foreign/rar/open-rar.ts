import { broken } from '../../broken.ts';
import { type ByteSource, bytesAt } from '../../byte-source.ts';
import { counted } from '../../counted.ts';
import { type ArchiveEntry, shortName, shownName } from '../../entry.ts';
import { createMeter, type Meter } from '../../limits.ts';
import type { OpenArchive, OpenOptions, TakeContent } from '../../open-archive.ts';
import { checked } from '../checked.ts';
import { demandForeignReadable } from '../demand-readable.ts';
import { demandMemory, unpackForeign } from '../unpack.ts';
import { unverified } from '../unverified.ts';
import { entriesAlone } from './entries-alone.ts';
import type { RarEntry } from './rar-entry.ts';
import { readRar4 } from './read-rar4.ts';
import { readRar5 } from './read-rar5.ts';

const RAR5 = Buffer.from('Rar!\x1a\x07\x01\x00', 'latin1');
const MAX_LINK_BYTES = 4096;
/** Entries that are packed to less than this go to the reader together. */
const BATCH_BYTES = 16 * 1024 * 1024;

/** Reads a rar archive: headers and stored contents by ourselves, packed contents by foreign code whose results are checked. */
export const openRar = async (source: ByteSource, { limits, signal }: OpenOptions): Promise<OpenArchive> => {
  const isNew = (await bytesAt(source, 0, RAR5.byteLength)).equals(RAR5);
  const entries = isNew ? await readRar5(source, limits) : await readRar4(source, limits);

  const storedContent = (entry: RarEntry) =>
    checked(source.stream({ start: entry.dataAt, end: entry.dataAt + entry.packedSize }), entry, entry.checks);

  /** Older archives keep the target of a link as its content. */
  const withTarget = async (entry: RarEntry): Promise<ArchiveEntry> => {
    if (entry.kind !== 'symlink' || entry.linkTarget !== undefined) return entry;
    if (entry.size > MAX_LINK_BYTES || !entry.isStored)
      throw broken(`has a link, ${shownName(entry.name)}, whose target cannot be read`, { entry: shortName(entry.name) });
    const parts: Uint8Array[] = [];
    for await (const chunk of storedContent(entry)) parts.push(chunk);
    return { ...entry, linkTarget: Buffer.concat(parts).toString('utf8') };
  };

  const readPacked = async (wanted: ReadonlySet<number>, take: TakeContent, meter: Meter): Promise<void> => {
    for (const batch of batchesOf(entries, wanted)) {
      const lone = batch.flatMap((index) => {
        const entry = entries[index];
        return entry === undefined ? [] : [{ entry, use: wanted.has(index) ? 'give' : 'drop' } as const];
      });
      await unpackForeign(entriesAlone(source, lone), signal, async (contents) => {
        for (const index of batch.filter((each) => wanted.has(each))) {
          const entry = entries[index];
          if (entry !== undefined)
            await take(index, counted(checked(contents.stream(entry.size), entry, entry.checks, unverified('rar')), meter.produced));
        }
      });
    }
  };

  return {
    entries,
    async examine(wanted) {
      const examined: ArchiveEntry[] = [];
      for (const entry of wanted.flatMap((index) => entries[index] ?? [])) {
        demandForeignReadable(entry, 'rar');
        examined.push(await withTarget(entry));
      }
      for (const batch of batchesOf(entries, new Set(wanted))) demandMemory(packedBytes(entries, batch), 'rar');
      return examined;
    },
    async read(wanted, take) {
      const meter = createMeter({ maxBytes: limits.maxBytes });
      const packed = new Set<number>();
      for (const index of wanted) {
        const entry = entries[index];
        if (entry === undefined) continue;
        if (isPacked(entry)) packed.add(index);
        else await take(index, counted(storedContent(entry), meter.produced));
      }
      if (packed.size > 0) await readPacked(packed, take, meter);
    },
  };
};

const isPacked = ({ kind, size, isStored }: RarEntry): boolean => kind === 'file' && size > 0 && !isStored;

/** Packed entries that go to the reader together: those that build on each other, and small ones. */
const batchesOf = (entries: readonly RarEntry[], wanted: ReadonlySet<number>): number[][] => {
  const batches: number[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const chain of chainsOf(entries, wanted)) {
    const own = packedBytes(entries, chain);
    if (bytes + own > BATCH_BYTES) {
      batches.push([]);
      bytes = 0;
    }
    batches.at(-1)?.push(...chain);
    bytes += own;
  }
  return batches;
};

const packedBytes = (entries: readonly RarEntry[], places: readonly number[]): number =>
  places.reduce((sum, index) => sum + (entries[index]?.packedSize ?? 0), 0);

/** What has to be unpacked for what is wanted: an entry alone, or a solid row up to the last that is wanted. */
const chainsOf = (entries: readonly RarEntry[], wanted: ReadonlySet<number>): number[][] => {
  const chains: number[][] = [];
  for (const [index, entry] of entries.entries()) {
    if (!isPacked(entry)) continue;
    if (!entry.isSolid || chains.length === 0) chains.push([]);
    chains.at(-1)?.push(index);
  }
  return chains.flatMap((chain) => {
    const last = chain.findLastIndex((index) => wanted.has(index));
    return last < 0 ? [] : [chain.slice(0, last + 1)];
  });
};
