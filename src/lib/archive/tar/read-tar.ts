import { broken } from '../broken.ts';
import type { ArchiveEntry } from '../entry.ts';
import type { ForwardBytes } from '../forward-bytes.ts';
import { type ArchiveLimits, demandEntries } from '../limits.ts';
import { BLOCK_BYTES, isHeader, isZero, readHeader, type TarHeader } from './header.ts';
import { readPax } from './pax.ts';
import { announcesSparse, badMap, expanded, readOldMap, readPaxMap, type SparseMap, storedBytes } from './sparse.ts';
import { entryFrom, type TarEntry, type TarExtras } from './tar-entry.ts';

/** An entry at its turn: its content can be read until the next one is asked for. */
export interface TarMember {
  readonly entry: ArchiveEntry;
  content(): AsyncIterable<Uint8Array>;
}

const MAX_EXTENDED_BYTES = 64 * 1024;
/** Keys that no archive has a reason to set for all of its entries. */
const PER_ENTRY_KEYS = ['path', 'linkpath', 'size'];

/** The entries of a tar file in order; everything but names, kinds and limits of the judge is checked here. */
export async function* readTar(bytes: ForwardBytes, { limits, lenient = false }: TarReading): AsyncGenerator<TarMember> {
  let extras: TarExtras = {};
  let entries = 0;
  const next = async () => readHeader(await bytes.take(BLOCK_BYTES)) ?? (lenient ? await headerOfNext(bytes) : undefined);
  for (let header = await next(); header !== undefined; header = await next()) {
    if (EXTENDING.has(header.type)) {
      extras = extend(extras, header.type, await extendedContent(bytes, header));
      continue;
    }
    if (NOTES.has(header.type)) {
      await bytes.skip(header.size + paddingOf(header.size));
      continue;
    }
    const plain = entryFrom(header, extras);
    const sparse = await sparseOf(bytes, header, extras, plain.stored);
    extras = {};
    entries += 1;
    demandEntries(entries, limits);
    yield* sparse === undefined ? member(bytes, plain) : sparseMember(bytes, plain, sparse);
  }
  if (extras.name !== undefined || extras.linkName !== undefined || extras.pax !== undefined)
    throw broken('ends with an extended header that belongs to nothing');
  if (lenient) return;
  for await (const chunk of bytes.rest()) if (!isZero(chunk)) throw broken('has data after its end');
}

interface TarReading {
  readonly limits: ArchiveLimits;
  /** Archives may be joined; what follows the last one and is none is left out. */
  readonly lenient?: boolean;
}

/** The first header of the archive that is joined to the one that has ended; undefined where none is. */
const headerOfNext = async (bytes: ForwardBytes): Promise<TarHeader | undefined> => {
  for (;;) {
    const block = await bytes.take(BLOCK_BYTES);
    if (block.byteLength < BLOCK_BYTES || !(isZero(block) || isHeader(block))) return undefined;
    if (!isZero(block)) return readHeader(block);
  }
};

/** What says something of the archive and not of an entry: the label of a volume, access lists of Solaris. */
const NOTES = new Set(['V', 'A']);

async function* member(bytes: ForwardBytes, { entry, stored }: TarEntry): AsyncGenerator<TarMember> {
  let left = stored;
  yield {
    entry,
    async *content() {
      for await (const chunk of bytes.stream(left)) {
        left -= chunk.byteLength;
        yield chunk;
      }
    },
  };
  await bytes.skip(left + paddingOf(stored));
}

interface Sparse {
  readonly map: SparseMap;
  /** Bytes of the entry that the map itself took. */
  readonly taken: number;
}

const sparseOf = async (
  bytes: ForwardBytes,
  { type, block }: TarHeader,
  { pax }: TarExtras,
  stored: number,
): Promise<Sparse | undefined> => {
  const isOld = type === 'S';
  if (!isOld && !(announcesSparse(pax) && (type === '0' || type === '\0'))) return undefined;
  if (isOld && !block.subarray(257, 265).equals(GNU_MARK)) throw badMap();
  const sparse = isOld ? { map: await readOldMap(bytes, block), taken: 0 } : await readPaxMap(bytes, pax ?? new Map());
  if (sparse.taken + storedBytes(sparse.map) !== stored) throw badMap();
  return sparse;
};

const GNU_MARK = Buffer.from('ustar  \0');

/** The stored part counts as what the file is packed to, so that a small archive cannot become a large one unnoticed. */
async function* sparseMember(bytes: ForwardBytes, { entry, stored }: TarEntry, { map, taken }: Sparse): AsyncGenerator<TarMember> {
  let left = stored - taken;
  async function* read(length: number): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes.stream(length)) {
      left -= chunk.byteLength;
      yield chunk;
    }
  }
  yield { entry: { ...entry, size: map.size, packedSize: stored }, content: () => expanded(map, read) };
  await bytes.skip(left + paddingOf(stored));
}

/** Contents are filled up to whole blocks. */
export const paddingOf = (size: number): number => (BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES;

/** Headers that only say more about the next entry, or about all of them. */
const EXTENDING = new Set(['x', 'X', 'g', 'L', 'K']);

const extendedContent = async (bytes: ForwardBytes, { size }: TarHeader): Promise<Buffer> => {
  if (size > MAX_EXTENDED_BYTES) throw broken(`has an extended header of more than ${MAX_EXTENDED_BYTES} bytes`, { bytes: size });
  const content = await bytes.take(size);
  if (content.byteLength < size) throw broken('ends in the middle of an extended header');
  await bytes.skip(paddingOf(size));
  return content;
};

const extend = (extras: TarExtras, type: string, content: Buffer): TarExtras => {
  switch (type) {
    case 'x':
    case 'X':
      if (extras.pax !== undefined) throw broken('has two extended headers for one entry');
      return { ...extras, pax: readPax(content) };
    case 'g': {
      const records = readPax(content);
      if (PER_ENTRY_KEYS.some((key) => records.has(key))) throw broken('sets name, size or link target for all of its entries at once');
      return extras;
    }
    case 'L':
      return { ...extras, name: withoutEnd(content) };
    default:
      return { ...extras, linkName: withoutEnd(content) };
  }
};

/** GNU ends its long names with a NUL. */
const withoutEnd = (content: Buffer): Buffer => (content.at(-1) === 0 ? content.subarray(0, -1) : content);
