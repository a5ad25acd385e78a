import fc from 'fast-check';
import { createXXHash64 } from 'hash-wasm';
import { expect, test } from 'vitest';
import { createContentHash } from './content-hash.ts';

const BLOCK_BYTES = 64;
const SEEDS = [
  [0, 0],
  [0x4c957f2d, 0x5851f42d],
] as const;

const hexOf = (words: Uint32Array): string =>
  [words.subarray(0, 2), words.subarray(2, 4)]
    .map((pair) =>
      [...pair]
        .reverse()
        .map((word) => word.toString(16).padStart(8, '0'))
        .join(''),
    )
    .join('');

const ours = (bytes: Uint8Array): string => {
  const hash = createContentHash(BLOCK_BYTES);
  hash.begin();
  let at = 0;
  for (; bytes.byteLength - at > BLOCK_BYTES; at += BLOCK_BYTES) {
    hash.block.set(bytes.subarray(at, at + BLOCK_BYTES));
    hash.addBlock();
  }
  hash.block.set(bytes.subarray(at));
  hash.end(bytes.byteLength - at);
  return hexOf(hash.words);
};

const theirs = async (bytes: Uint8Array): Promise<string> => {
  const parts = await Promise.all(SEEDS.map((seed) => createXXHash64(...seed)));
  return parts.map((part) => part.init().update(bytes).digest('hex')).join('');
};

test('it is XXH64 under two seeds, whatever the length', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
      expect(ours(bytes)).toBe(await theirs(bytes));
    }),
    { numRuns: 300 },
  );
});

test('blocks that the kernel cannot take whole are refused', () => {
  expect(() => createContentHash(100)).toThrow(RangeError);
});
