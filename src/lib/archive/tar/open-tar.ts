import { broken } from '../broken.ts';
import type { ByteSource } from '../byte-source.ts';
import type { Compression } from '../compress/compression.ts';
import { unpackedFile } from '../compress/unpacked-file.ts';
import { counted } from '../counted.ts';
import type { ArchiveEntry } from '../entry.ts';
import { type ForwardBytes, forwardFrom, forwardOver } from '../forward-bytes.ts';
import { createMeter, demandBytes } from '../limits.ts';
import type { OpenArchive, OpenOptions } from '../open-archive.ts';
import { readTar } from './read-tar.ts';

/** Reads all headers of a tar file; contents are read in a second pass over the same bytes, which must not have changed. */
export const openTar = async (source: ByteSource, compression: Compression | undefined, options: OpenOptions): Promise<OpenArchive> => {
  const { limits, signal } = options;
  const entries: ArchiveEntry[] = [];
  let declared = 0;
  await pass(source, compression, options, async (bytes) => {
    for await (const { entry } of readTar(bytes, options)) {
      signal.throwIfAborted();
      declared += entry.size;
      demandBytes(declared, limits);
      entries.push(entry);
    }
  });
  return {
    entries,
    examine: async (wanted) => wanted.flatMap((index) => entries[index] ?? []),
    async read(wanted, take) {
      const chosen = new Set(wanted);
      const meter = createMeter({ maxBytes: limits.maxBytes });
      await pass(source, compression, options, async (bytes) => {
        let index = 0;
        for await (const { entry, content } of readTar(bytes, options)) {
          if (!isSame(entry, entries[index])) throw broken('was changed while it was read');
          if (chosen.has(index)) await take(index, counted(content(), meter.produced));
          index += 1;
        }
      });
    },
  };
};

/** Goes through the bytes once; what is compressed may not grow beyond all proportion on the way. */
const pass = async (
  source: ByteSource,
  compression: Compression | undefined,
  options: OpenOptions,
  work: (bytes: ForwardBytes) => Promise<void>,
): Promise<void> => {
  if (compression === undefined) return work(forwardOver(source));
  const bytes = forwardFrom(unpackedFile(source, compression, options));
  try {
    await work(bytes);
  } finally {
    await bytes.close();
  }
};

const isSame = (a: ArchiveEntry, b: ArchiveEntry | undefined): boolean =>
  b !== undefined && a.name === b.name && a.kind === b.kind && a.size === b.size && a.linkTarget === b.linkTarget;
