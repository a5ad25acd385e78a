import type { Grant } from '../../../core/files.ts';
import { createContentHash } from '../../kernels/hash/content-hash.ts';
import { type LeftOut, leaveUnreadable, nothingLeftOut } from '../../search/left-out.ts';
import type { Done } from '../../workers/task.ts';
import type { BlockSink } from '../read-into.ts';
import { type FileBatch, readBatch } from './file-batch.ts';

/** What other threads are asked for. */
export interface HashOrder {
  readonly grant: Grant;
  readonly batch: FileBatch;
  /** A digest of this kind; null for the fast hash. */
  readonly algorithm: string | null;
}

/** What the files of a batch hold; nothing is said of those that could not be read. */
export interface Hashed {
  /** Which files were read. */
  readonly isRead: Uint8Array<ArrayBuffer>;
  /** The fast hash of each, four words a file; empty where digests are made. */
  readonly words: Uint32Array<ArrayBuffer>;
  /** The digest of each, in hex; empty for the fast hash. */
  readonly digests: readonly string[];
  readonly unreadable: LeftOut;
}

/** Hashes the files of a batch. */
export type Hashing = (grant: Grant, batch: FileBatch) => Generator<void, Hashed>;

/** How many words the fast hash of a file has. */
export const WORDS_PER_HASH = 4;
const BLOCK_BYTES = 256 * 1024;

/** Prepares hashing on this thread: one batch at a time. */
export const createHashing = async (algorithm: string | null): Promise<Hashing> => {
  if (algorithm === null) {
    const hash = createContentHash(BLOCK_BYTES);
    return function* hashFast(grant, batch) {
      const words = new Uint32Array(batch.bytes.length * WORDS_PER_HASH);
      const { isRead, unreadable } = yield* readAll(grant, batch, hash, (at) => words.set(hash.words, at * WORDS_PER_HASH));
      return { isRead, words, digests: [], unreadable };
    };
  }
  // Loaded here only: OpenSSL takes longer to start than many a search.
  const { createBlockDigest } = await import('../block-digest.ts');
  const digest = await createBlockDigest(algorithm);
  return function* makeDigests(grant, batch) {
    const digests: string[] = [];
    const { isRead, unreadable } = yield* readAll(grant, batch, digest, (at) => {
      digests[at] = digest.hex();
    });
    return { isRead, words: new Uint32Array(0), digests: Array.from(isRead, (_, at) => digests[at] ?? ''), unreadable };
  };
};

function* readAll(
  grant: Grant,
  batch: FileBatch,
  sink: BlockSink,
  taken: (at: number) => void,
): Generator<void, Pick<Hashed, 'isRead' | 'unreadable'>> {
  const isRead = new Uint8Array(batch.bytes.length);
  const unreadable = nothingLeftOut();
  yield* readBatch(grant, batch, {
    sink,
    taken(at) {
      isRead[at] = 1;
      taken(at);
    },
    unreadable: (relative, fault) => leaveUnreadable(unreadable, relative, fault),
  });
  return { isRead, unreadable };
}

/** The latest kind of hashing of this thread, which serves for many batches. */
let latest: { readonly algorithm: string | null; readonly hashing: Promise<Hashing> } | undefined;

/** Hashes the files of a batch; a task for other threads. */
export const hashFiles = async ({ grant, batch, algorithm }: HashOrder): Promise<Done<Hashed>> => {
  if (latest?.algorithm !== algorithm) latest = { algorithm, hashing: createHashing(algorithm) };
  const work = (await latest.hashing)(grant, batch);
  for (let step = work.next(); ; step = work.next())
    if (step.done === true) return { value: step.value, transfer: [step.value.isRead.buffer, step.value.words.buffer] };
};
