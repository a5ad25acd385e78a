import { broken } from '../broken.ts';
import { type ByteSource, bytesAt, windowOver } from '../byte-source.ts';
import { otherEnds, type ZipDirectory } from './find-directory.ts';
import type { ZipEntry } from './zip-entry.ts';

const LOCAL_BYTES = 30;
const LOCAL_MARK = Buffer.from('PK\x03\x04', 'latin1');

interface Demanding {
  /** An archive that stands before this one may not be left out either. */
  readonly whole: boolean;
}

/**
 * Refuses a file that is read leniently and has a second directory which another program could take: behind the one that was found, in it
 * or between the entries. What stands before the first entry was never part of this archive.
 */
export const demandOneArchive = async (
  source: ByteSource,
  directory: ZipDirectory,
  entries: readonly ZipEntry[],
  { whole }: Demanding,
): Promise<void> => {
  const inOrder = [...entries].sort((a, b) => a.offset - b.offset);
  const first = inOrder[0]?.offset ?? directory.offset;
  const at = windowOver(source);
  const others = await otherEnds(source, directory, (place) => isContent(at, lastBefore(inOrder, place), place));
  if (others.some((place) => whole || place > first))
    throw broken('has several end records, and programs differ in which of them they read', { reason: 'several_ends' });
  if (whole && first > 0 && (await bytesAt(source, 0, LOCAL_MARK.byteLength)).equals(LOCAL_MARK))
    throw broken('begins with entries that its directory does not name', { reason: 'unnamed_entries' });
};

/** Whether a place is in an entry that begins before it. How long its extra fields are is said only by its own header. */
const isContent = (at: ReturnType<typeof windowOver>, entry: ZipEntry | undefined, place: number): Promise<boolean> | boolean => {
  if (entry === undefined) return false;
  const end = entry.offset + LOCAL_BYTES + entry.rawName.byteLength + entry.packedSize;
  if (place < end) return true;
  return at(entry.offset, LOCAL_BYTES).then((header) => header.byteLength === LOCAL_BYTES && place < end + header.readUInt16LE(28));
};

const lastBefore = (inOrder: readonly ZipEntry[], place: number): ZipEntry | undefined => {
  let [low, high] = [0, inOrder.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((inOrder[middle]?.offset ?? 0) <= place) low = middle + 1;
    else high = middle;
  }
  return inOrder[low - 1];
};
