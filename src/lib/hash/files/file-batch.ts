import type { Grant } from '../../../core/files.ts';
import { type OpenedDirectory, openWalked } from '../../fs/walk-directory.ts';
import { openTally } from '../../fs/walk-tally.ts';
import { type BlockSink, readInto } from '../read-into.ts';
import type { PlacedFile } from './sized-files.ts';

/** Files to be read one after the other, packed for other threads. */
export interface FileBatch {
  /** The place of the first among the files that are read. */
  readonly first: number;
  readonly directories: readonly string[];
  readonly counts: readonly number[];
  /** Names, NUL between them. */
  readonly names: string;
  /** How many bytes of each are read. */
  readonly bytes: Float64Array<ArrayBuffer>;
}

/** A batch takes some ten milliseconds: long enough to be worth handing over, short enough for all threads to end together. */
const MAX_FILES = 2048;
const MAX_BYTES = 16 * 1024 * 1024;

/** Cuts files into batches. */
export function* batchesOf(files: Iterable<PlacedFile>, bytesOf: (index: number) => number): Generator<FileBatch> {
  let first = 0;
  let open = newBatch();
  for (const { index, directory, name } of files) {
    const bytes = bytesOf(index);
    if (open.names.length >= MAX_FILES || open.total >= MAX_BYTES) {
      yield packed(first, open);
      first += open.names.length;
      open = newBatch();
    }
    if (open.directories.at(-1) !== directory) {
      open.directories.push(directory);
      open.counts.push(0);
    }
    open.counts[open.counts.length - 1] = (open.counts.at(-1) ?? 0) + 1;
    open.names.push(name);
    open.bytes.push(bytes);
    open.total += bytes;
  }
  if (open.names.length > 0) yield packed(first, open);
}

const newBatch = () => ({ directories: [] as string[], counts: [] as number[], names: [] as string[], bytes: [] as number[], total: 0 });

const packed = (first: number, { directories, counts, names, bytes }: ReturnType<typeof newBatch>): FileBatch => ({
  first,
  directories,
  counts,
  names: names.join('\0'),
  bytes: Float64Array.from(bytes),
});

/** What is done with each file of a batch. */
export interface FileTaker {
  readonly sink: BlockSink;
  /** After a file was read as far as asked; one that has become shorter meanwhile is passed over. */
  taken(at: number): void;
  /** A file or directory that cannot be read. */
  unreadable(relative: string, fault: unknown): void;
}

/** A pause behind every file would cost a tenth of what small ones do. */
const FILES_BETWEEN_PAUSES = 16;
const BYTES_BETWEEN_PAUSES = 1024 * 1024;

/** Reads the files of a batch; pauses behind some, and behind every block of a large one. Stops where the work is stopped. */
export function* readBatch(grant: Grant, { directories, counts, names, bytes }: FileBatch, taker: FileTaker): Generator<void, void> {
  const tally = openTally(grant);
  const all = names.split('\0');
  let at = 0;
  let files = 0;
  let total = 0;
  for (const [index, relative] of directories.entries()) {
    const end = at + (counts[index] ?? 0);
    using directory = openOrTell(grant, relative, taker);
    for (; at < end; at += 1) {
      if (tally.isStopped()) return;
      const wanted = bytes[at] ?? 0;
      const name = all[at] ?? '';
      try {
        const reading = directory && readInto(taker.sink, directory.address(name), wanted);
        if ((typeof reading === 'object' ? yield* reading : reading) === wanted) taker.taken(at);
      } catch (fault) {
        taker.unreadable(relative + name, fault);
      }
      files += 1;
      total += wanted;
      if (files < FILES_BETWEEN_PAUSES && total < BYTES_BETWEEN_PAUSES) continue;
      tally.add(files, total);
      files = 0;
      total = 0;
      yield;
    }
  }
  tally.add(files, total);
}

const openOrTell = ({ root, byHandles }: Grant, relative: string, { unreadable }: FileTaker): OpenedDirectory | undefined => {
  try {
    return openWalked(root, relative, byHandles);
  } catch (fault) {
    unreadable(relative.slice(0, -1), fault);
    return undefined;
  }
};
