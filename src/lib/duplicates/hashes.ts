import { WORDS_PER_HASH } from '../hash/files/hash-batch.ts';
import { type HashWanted, hashEach, type StageOptions } from '../hash/files/stages.ts';

/** The hashes of some files. */
export interface Hashes {
  /** Numbers below 2^53 that are equal for equal fast hashes and seldom for others; negative for files that could not be read. */
  keys(): Float64Array;
  /** The hash, or digest, of the file at a place; undefined where it could not be read. */
  at(place: number): string | undefined;
}

/** Reads files and keeps their hashes. */
export const gatherHashes = async (wanted: HashWanted, stage: StageOptions): Promise<Hashes> => {
  const count = wanted.indices.length;
  const isFast = wanted.algorithm === null;
  const isRead = new Uint8Array(count);
  const words = new Uint32Array(isFast ? count * WORDS_PER_HASH : 0);
  const digests: string[] = [];
  await hashEach(wanted, stage, (first, hashed) => {
    isRead.set(hashed.isRead, first);
    if (isFast) words.set(hashed.words, first * WORDS_PER_HASH);
    for (const [at, digest] of hashed.digests.entries()) digests[first + at] = digest;
  });
  return {
    keys: () => Float64Array.from(isRead, (read, place) => (read === 0 ? -1 : keyOf(words, place))),
    at(place) {
      if (isRead[place] === 0) return undefined;
      return isFast ? words.subarray(place * WORDS_PER_HASH, (place + 1) * WORDS_PER_HASH).join(' ') : digests[place];
    },
  };
};

const HIGH_BITS = 0x1f_ffff;

const keyOf = (words: Uint32Array, place: number): number => {
  const low = words[place * WORDS_PER_HASH] ?? 0;
  const high = (words[place * WORDS_PER_HASH + 1] ?? 0) & HIGH_BITS;
  return high * 2 ** 32 + low;
};
