import { ArchiveException, QuotaExceededException } from '../../../core/errors.ts';
import { broken } from '../broken.ts';
import { type ByteSource, bytesAt } from '../byte-source.ts';
import type { ArchiveEntry } from '../entry.ts';
import { demandEntries } from '../limits.ts';
import type { OpenArchive, OpenOptions } from '../open-archive.ts';
import { check7z } from './check-7z.ts';
import { checkRar } from './check-rar.ts';

/** The library takes the archive and all contents into memory. */
const MAX_MEMORY_BYTES = 256 * 1024 * 1024;

/** Reads a 7z or rar archive. Its library ends quietly at damage, so the structure is checked by hand before and after. */
export const openForeign = async (source: ByteSource, format: '7z' | 'rar', { limits }: OpenOptions): Promise<OpenArchive> => {
  demandMemory(source.size, format);
  const bytes = await bytesAt(source, 0, source.size);
  const expected = format === '7z' ? check7z(bytes) : checkRar(bytes);
  const entries = await withReader(bytes, format, async (reader) => (await reader.client.listFiles()).map(entryFrom));
  demandEntries(entries.length, limits);
  if (expected === 'some' ? entries.length === 0 : entries.length !== expected)
    throw broken('is damaged: not all of its entries can be read');
  return {
    entries,
    async examine(wanted) {
      demandMemory(
        entries.reduce((sum, { size }) => sum + size, 0),
        format,
      );
      return wanted.flatMap((index) => entries[index] ?? []);
    },
    async read(wanted, take) {
      const extracted = await withReader(bytes, format, (reader) => reader.client.extractFiles());
      if (extracted.length !== entries.length) throw broken('is damaged: not all of its entries can be read');
      for (const index of wanted) {
        const data = extracted[index]?.fileData;
        if (data === undefined || data.byteLength !== entries[index]?.size) throw broken('is damaged: not all of its contents can be read');
        await take(index, once(data));
      }
    },
  };
};

type Reader = Awaited<ReturnType<typeof import('libarchive.js/dist/libarchive-node.mjs')['Archive']['open']>>;

const withReader = async <T>(bytes: Buffer<ArrayBufferLike>, format: string, work: (reader: Reader) => Promise<T>): Promise<T> => {
  const { Archive } = await import('libarchive.js/dist/libarchive-node.mjs');
  const reader = await Archive.open(new File([Uint8Array.from(bytes)], `archive.${format}`));
  // A worker that dies never answers, and its error would end the process if nobody listened.
  const died = new Promise<never>((_, reject) => reader.worker.once('error', reject));
  try {
    if ((await Promise.race([reader.hasEncryptedData(), died])) === true) throw encrypted(format);
    return await Promise.race([work(reader), died]);
  } catch (fault) {
    if (fault instanceof ArchiveException) throw fault;
    throw fault instanceof Error && fault.message.includes('encrypted') ? encrypted(format, fault) : broken('is damaged', {}, fault);
  } finally {
    await reader.close();
  }
};

const KINDS: ReadonlyMap<string | undefined, 'file' | 'dir'> = new Map([
  ['FILE', 'file'],
  ['DIR', 'dir'],
]);

const entryFrom = ({
  path,
  size,
  type,
}: {
  readonly path: string;
  readonly size: number;
  readonly type: string | undefined;
}): ArchiveEntry => {
  const kind = KINDS.get(type) ?? 'special';
  return {
    name: path,
    otherNames: [],
    isMisencoded: false,
    kind,
    // The library tells neither where a link leads nor, but for nanoseconds, the time.
    ...(kind === 'special' && { about: 'a link or device' }),
    size: kind === 'file' ? size : 0,
    mtimeMs: undefined,
    mode: undefined,
  };
};

const demandMemory = (bytes: number, format: string): void => {
  if (bytes <= MAX_MEMORY_BYTES) return;
  throw new QuotaExceededException(
    `Archives of format ${format} are read in memory and may have no more than ${MAX_MEMORY_BYTES} bytes, packed or unpacked; extract this one with another program.`,
    {
      context: { limit: 'memory', bytes, max_bytes: MAX_MEMORY_BYTES },
    },
  );
};

const encrypted = (format: string, cause?: unknown) =>
  new ArchiveException(`The archive is encrypted, which is not supported for ${format}; extract it with another program.`, {
    context: { format },
    cause,
  });

async function* once(data: Uint8Array): AsyncGenerator<Uint8Array> {
  yield data;
}
