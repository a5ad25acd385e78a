import { boundedMap } from '../../async/bounded-map.ts';
import { giveWay, isSliceOver } from '../../async/in-slices.ts';
import { broken } from '../broken.ts';
import type { ByteSource } from '../byte-source.ts';
import { type ArchiveEntry, shortName, shownName } from '../entry.ts';
import { createMeter, type Meter } from '../limits.ts';
import type { OpenArchive, OpenOptions } from '../open-archive.ts';
import { checkRanges, locateContents } from './check-layout.ts';
import { demandOneArchive } from './demand-one-archive.ts';
import { demandReadable } from './demand-readable.ts';
import { findDirectory } from './find-directory.ts';
import { needsThread } from './methods.ts';
import { readContent } from './read-content.ts';
import { readDirectory } from './read-directory.ts';
import type { ZipEntry } from './zip-entry.ts';

/** A zip file open for reading. */
export interface OpenZip extends OpenArchive {
  readonly entries: readonly ZipEntry[];
}

interface ZipOptions extends OpenOptions {
  /** For who rewrites the file: nothing of another archive may be left out. */
  readonly whole?: boolean;
}

const MAX_LINK_BYTES = 4096;
/** Contents unpacked at the same time. */
const WIDTH = 4;

/** Reads the directory of a zip file. */
export const openZip = async (
  source: ByteSource,
  { limits, password, signal, lenient = false, whole = false }: ZipOptions,
): Promise<OpenZip> => {
  const directory = await findDirectory(source, { limits, lenient });
  const entries = await readDirectory(source, directory, signal);
  if (lenient) await demandOneArchive(source, directory, entries, { whole });
  const places = new Map<ZipEntry, number>();

  async function* contentOf(entry: ZipEntry, meter: Meter): AsyncGenerator<Uint8Array> {
    const at = places.get(entry);
    if (at === undefined) throw new TypeError('an entry is read before it was examined');
    for await (const chunk of await unpacked(entry, at, meter)) {
      signal.throwIfAborted();
      yield chunk;
    }
  }

  const unpacked = async (entry: ZipEntry, at: number, meter: Meter): Promise<AsyncIterable<Uint8Array>> => {
    if (!entry.isEncrypted || password === undefined) return readContent(source, entry, at, { meter, signal });
    const { readEncrypted } = await import('./encrypted.ts');
    return readEncrypted(source, entry, at, { password, meter });
  };

  const withTarget = async (entry: ZipEntry): Promise<ArchiveEntry> => {
    if (entry.size > MAX_LINK_BYTES)
      throw broken(`has a link, ${shownName(entry.name)}, with a target of more than ${MAX_LINK_BYTES} bytes`, {
        entry: shortName(entry.name),
      });
    const parts: Uint8Array[] = [];
    for await (const chunk of contentOf(entry, createMeter(limits))) parts.push(chunk);
    return { ...entry, linkTarget: Buffer.concat(parts).toString('utf8') };
  };

  const pick = (wanted: readonly number[]): ZipEntry[] => wanted.flatMap((index) => entries[index] ?? []);

  return {
    entries,
    async examine(wanted) {
      const chosen = pick(wanted);
      for (const entry of chosen) demandReadable(entry, password !== undefined);
      checkRanges(entries, directory.offset, { lenient });
      for (const [entry, at] of await locateContents(source, chosen, { directoryAt: directory.offset, signal })) places.set(entry, at);
      const examined: ArchiveEntry[] = [];
      for (const entry of chosen) {
        if (isSliceOver(examined.length)) await giveWay(signal);
        examined.push(entry.kind === 'symlink' ? await withTarget(entry) : entry);
      }
      return examined;
    },
    async read(wanted, take) {
      const meter = createMeter(limits);
      // One after the other where each takes all the threads that it can use.
      const width = pick(wanted).some(({ method }) => needsThread(method)) ? 1 : WIDTH;
      await boundedMap(wanted, width, async (index) => {
        const [entry] = pick([index]);
        if (entry !== undefined) await take(index, contentOf(entry, meter));
      });
    },
  };
};
