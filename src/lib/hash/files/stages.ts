import type { Grant } from '../../../core/files.ts';
import { walkShared } from '../../fs/walk-shared.ts';
import { addLeftOut, type LeftOut } from '../../search/left-out.ts';
import { searchThreads } from '../../search/search-threads.ts';
import { shareBatches } from '../../workers/share-batches.ts';
import { batchesOf, type FileBatch } from './file-batch.ts';
import { createHashing, type Hashed } from './hash-batch.ts';
import { type SizeQuery, sizePart } from './size-part.ts';
import { createFileStore, type FileStore, type SizedFiles } from './sized-files.ts';

/** What all stages of bulk reading need. */
export interface StageOptions {
  readonly grant: Grant;
  readonly signal: AbortSignal;
  /** Takes what could not be read. */
  readonly unreadable: LeftOut;
  readonly patienceMs?: number;
}

/** About 10,000 files to look at, or 600 MB to read. */
const START_AFTER_MS = { look: 40, read: 150 };

/** Looks at the sizes of all files below a root. */
export const gatherSizes = async (query: SizeQuery, { grant, signal, unreadable, ...rest }: StageOptions): Promise<FileStore> => {
  const store = createFileStore();
  const walk = walkShared<SizedFiles>({
    grant,
    start: sizePart(query),
    signal,
    ...searchThreads({ startAfterMs: START_AFTER_MS.look, order: (pool, shared) => pool.run('size_files', { shared, query }, { signal }) }),
    ...rest,
  });
  for await (const files of walk) {
    store.add(files);
    addLeftOut(unreadable, files.unreadable);
  }
  return store;
};

/** Files to be hashed. */
export interface HashWanted {
  readonly store: FileStore;
  /** Which files, in ascending order. */
  readonly indices: Uint32Array;
  /** How many bytes of each. */
  readonly bytesOf: (index: number) => number;
  /** A digest of this kind; null for the fast hash. */
  readonly algorithm: string | null;
}

/** Reads files and hashes them; `take` gets the hashes of several files at once, in any order, and the place of the first among the indices. */
export const hashEach = async (
  { store, indices, bytesOf, algorithm }: HashWanted,
  { grant, signal, unreadable, ...rest }: StageOptions,
  take: (first: number, hashed: Hashed) => void,
): Promise<void> => {
  const hashing = await createHashing(algorithm);
  await shareBatches<FileBatch, Hashed>({
    grant,
    signal,
    batches: batchesOf(store.at(indices), bytesOf),
    here: (batch) => hashing(grant, batch),
    ...searchThreads({
      startAfterMs: START_AFTER_MS.read,
      order: (pool, batch: FileBatch) => pool.run('hash_files', { grant, batch, algorithm }, { signal }),
    }),
    ...rest,
    take({ first }, hashed) {
      take(first, hashed);
      addLeftOut(unreadable, hashed.unreadable);
    },
  });
};
