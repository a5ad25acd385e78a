import { giveWay, isSliceOver } from '../../async/in-slices.ts';
import { broken } from '../broken.ts';
import { type ByteSource, windowOver } from '../byte-source.ts';
import { shortName, shownName } from '../entry.ts';
import type { ZipEntry } from './zip-entry.ts';

const LOCAL_BYTES = 30;

interface Checking {
  /** Bytes before the first entry are put up with. */
  readonly lenient: boolean;
}

/** Refuses entries that share bytes, and bytes before the first entry: two readers could see two archives. */
export const checkRanges = (entries: readonly ZipEntry[], directoryAt: number, { lenient }: Checking): void => {
  const inOrder = [...entries].sort((a, b) => a.offset - b.offset);
  const first = inOrder[0]?.offset ?? directoryAt;
  if (first !== 0 && !lenient) throw broken('has bytes before its first entry', { bytes: first });
  for (const [at, entry] of inOrder.entries()) {
    const end = entry.offset + LOCAL_BYTES + entry.rawName.byteLength + entry.packedSize;
    if (end > (inOrder[at + 1]?.offset ?? directoryAt))
      throw broken(`has an entry, ${shownName(entry.name)}, that overlaps with another`, { entry: shortName(entry.name) });
  }
};

/** Where the content of each entry begins, after comparing its own header with what the directory says. */
export const locateContents = async (
  source: ByteSource,
  entries: readonly ZipEntry[],
  { directoryAt, signal }: { readonly directoryAt: number; readonly signal: AbortSignal },
): Promise<ReadonlyMap<ZipEntry, number>> => {
  const at = windowOver(source);
  const places = new Map<ZipEntry, number>();
  for (const entry of [...entries].sort((a, b) => a.offset - b.offset)) {
    if (isSliceOver(places.size)) await giveWay(signal);
    const header = await at(entry.offset, LOCAL_BYTES + entry.rawName.byteLength);
    if (header.byteLength < LOCAL_BYTES || header.readUInt32LE(0) !== 0x04034b50)
      throw broken(`has no header for ${shownName(entry.name)}`, { entry: shortName(entry.name) });
    const nameBytes = header.readUInt16LE(26);
    const isSame = header.subarray(LOCAL_BYTES, LOCAL_BYTES + nameBytes).equals(entry.rawName) && header.readUInt16LE(8) === entry.method;
    if (!isSame || nameBytes !== entry.rawName.byteLength)
      throw broken(`describes ${shownName(entry.name)} in two ways that differ`, { entry: shortName(entry.name) });
    const contentAt = entry.offset + LOCAL_BYTES + nameBytes + header.readUInt16LE(28);
    if (contentAt + entry.packedSize > directoryAt)
      throw broken(`ends in the middle of ${shownName(entry.name)}`, { entry: shortName(entry.name) });
    places.set(entry, contentAt);
  }
  return places;
};
