import fc from 'fast-check';
import { createXXHash64, createXXHash128 } from 'hash-wasm';
import { expect, test } from 'vitest';
import { createContentHash } from './content-hash.ts';

const BLOCK_BYTES = 2048;
/** Above it is XXH128. */
const SHORT_BYTES = 240;
const SEEDS = [
  [0, 0],
  [0x4c957f2d, 0x5851f42d],
] as const;

const hexOf = (words: readonly number[]): string => words.map((word) => word.toString(16).padStart(8, '0')).join('');

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
  const [a = 0, b = 0, c = 0, d = 0] = hash.words;
  return hexOf(bytes.byteLength > SHORT_BYTES ? [d, c, b, a] : [b, a, d, c]);
};

const theirs = async (bytes: Uint8Array): Promise<string> => {
  if (bytes.byteLength > SHORT_BYTES) return (await createXXHash128(0, 0)).init().update(bytes).digest('hex');
  const parts = await Promise.all(SEEDS.map((seed) => createXXHash64(...seed)));
  return parts.map((part) => part.init().update(bytes).digest('hex')).join('');
};

test('it is XXH64 under two seeds for short contents', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: SHORT_BYTES }), async (bytes) => {
      expect(ours(bytes)).toBe(await theirs(bytes));
    }),
    { numRuns: 300 },
  );
});

test('it is XXH128 for all others, wherever they end', async () => {
  const bytes = Uint8Array.from({ length: 3 * BLOCK_BYTES + 100 }, (_, at) => (at * 2_654_435_761) >>> 24);
  for (let length = SHORT_BYTES + 1; length <= bytes.byteLength; length += length % BLOCK_BYTES > 70 ? 13 : 1) {
    const some = bytes.subarray(0, length);
    expect([length, ours(some)]).toEqual([length, await theirs(some)]);
  }
});

test('what was hashed before does not count', () => {
  const hash = createContentHash(1024);
  const words = () => {
    hash.begin();
    hash.block.fill('x');
    hash.addBlock();
    hash.end(5);
    return [...hash.words];
  };
  expect(words()).toEqual(words());
});

test('blocks that the kernel cannot take whole are refused', () => {
  expect(() => createContentHash(1000)).toThrow(RangeError);
});
