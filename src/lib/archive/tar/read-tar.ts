import { broken } from '../broken.ts';
import type { ArchiveEntry } from '../entry.ts';
import type { ForwardBytes } from '../forward-bytes.ts';
import { type ArchiveLimits, demandEntries } from '../limits.ts';
import { BLOCK_BYTES, isZero, readHeader, type TarHeader } from './header.ts';
import { readPax } from './pax.ts';
import { entryFrom, type TarExtras } from './tar-entry.ts';

/** An entry at its turn: its content can be read until the next one is asked for. */
export interface TarMember {
  readonly entry: ArchiveEntry;
  content(): AsyncIterable<Uint8Array>;
}

const MAX_EXTENDED_BYTES = 64 * 1024;
/** Keys that no archive has a reason to set for all of its entries. */
const PER_ENTRY_KEYS = ['path', 'linkpath', 'size'];

/** The entries of a tar file in order; everything but names, kinds and limits of the judge is checked here. */
export async function* readTar(bytes: ForwardBytes, limits: ArchiveLimits): AsyncGenerator<TarMember> {
  let extras: TarExtras = {};
  let entries = 0;
  for (let header = readHeader(await bytes.take(BLOCK_BYTES)); header !== undefined; header = readHeader(await bytes.take(BLOCK_BYTES))) {
    if (EXTENDING.has(header.type)) {
      extras = extend(extras, header.type, await extendedContent(bytes, header));
      continue;
    }
    const entry = entryFrom(header, extras);
    extras = {};
    entries += 1;
    demandEntries(entries, limits);
    yield* member(bytes, entry);
  }
  if (extras.name !== undefined || extras.linkName !== undefined || extras.pax !== undefined)
    throw broken('ends with an extended header that belongs to nothing');
  for await (const chunk of bytes.rest()) if (!isZero(chunk)) throw broken('has data after its end');
}

async function* member(bytes: ForwardBytes, entry: ArchiveEntry): AsyncGenerator<TarMember> {
  let left = entry.size;
  yield {
    entry,
    async *content() {
      for await (const chunk of bytes.stream(left)) {
        left -= chunk.byteLength;
        yield chunk;
      }
    },
  };
  await bytes.skip(left + paddingOf(entry.size));
}

/** Contents are filled up to whole blocks. */
export const paddingOf = (size: number): number => (BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES;

/** Headers that only say more about the next entry, or about all of them. */
const EXTENDING = new Set(['x', 'g', 'L', 'K']);

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
