import { streamTask } from '../../../workers/foreign/serve-stream.ts';
import { notUnpacked } from '../unverified.ts';
import { type Libarchive, loadLibarchive } from './libarchive.ts';

/** What is read of an archive, which comes as the input of the stream. */
export interface EntriesOrder {
  /** The file of the reader's code. */
  readonly wasmPath: string;
  readonly archiveBytes: number;
  /** What becomes of each entry, in the order of the archive, up to the last that is wanted. */
  readonly steps: readonly EntryStep[];
}

export interface EntryStep {
  readonly size: number;
  /** `drop` unpacks it because later ones need that. */
  readonly use: 'give' | 'drop';
}

const PIECE_BYTES = 256 * 1024;

/** Gives the contents of the wanted entries, one after the other and just as long as their headers say: a task for a foreign thread. */
export const readEntries = streamTask<EntriesOrder>(async function* (chunks, { wasmPath, archiveBytes, steps }) {
  const reader = await loadLibarchive(wasmPath);
  await reader.load(chunks, archiveBytes);
  reader.open();
  for (const { size, use } of steps) {
    if (!reader.next()) throw notUnpacked(reader.complaint());
    for (let left = size; left > 0; ) {
      const piece = readPiece(reader, Math.min(left, PIECE_BYTES));
      left -= piece.byteLength;
      yield use === 'give' ? piece : NOTHING;
    }
  }
});

/** A sign of life. */
const NOTHING = new Uint8Array(0);

const readPiece = (reader: Libarchive, bytes: number): Uint8Array => {
  try {
    return reader.read(bytes);
  } catch (fault) {
    throw notUnpacked(reader.complaint(), fault);
  }
};
