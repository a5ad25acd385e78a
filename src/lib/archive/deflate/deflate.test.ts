import { gunzipSync, inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { chunksOf, collect, signal } from '../../../../test/support/archives/memory.ts';
import { createPool } from '../../workers/pool.ts';
import { blocksOf, markingLast } from './blocks.ts';
import { deflateStream } from './deflate-stream.ts';
import { gzip } from './gzip.ts';

const pool = createPool({ width: 2 });
afterAll(() => pool[Symbol.asyncDispose]());

const BLOCK = 256 * 1024;

/** Text that shrinks and noise that does not, in turns. */
const mixed = (bytes: number, seed = 1): Buffer => {
  const out = Buffer.alloc(bytes, 'all work and no play makes a dull boy. ');
  let state = seed;
  for (let at = 0; at < bytes; at += 1) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    if ((at >> 17) % 2 === 0) out[at] = state >>> 24;
  }
  return out;
};

describe('deflating on threads', () => {
  test.each([0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK, 3 * BLOCK + 7])('%i bytes come back', async (bytes) => {
    const input = mixed(bytes);
    const packed = await collect(deflateStream(chunksOf(input, 100_000), { level: 6, signal, pool }));
    expect(inflateRawSync(packed).equals(input)).toBe(true);
  });

  test('gives the same bytes however the input is cut', async () => {
    const input = mixed(3 * BLOCK + 5);
    const [one, other] = await Promise.all(
      [7_777, 1_000_000].map((piece) => collect(deflateStream(chunksOf(input, piece), { level: 4, signal, pool }))),
    );
    expect(one?.equals(other ?? Buffer.alloc(0))).toBe(true);
  });

  test('tells of all input in order', async () => {
    const input = mixed(2 * BLOCK + 3);
    const seen: Buffer[] = [];
    await collect(deflateStream(chunksOf(input), { level: 1, signal, pool, onInput: (block) => void seen.push(Buffer.from(block)) }));
    expect(Buffer.concat(seen).equals(input)).toBe(true);
  });

  test('loses nearly nothing by cutting', async () => {
    const input = Buffer.from(Array.from({ length: 60_000 }, (_, at) => `line ${at} of a long text\n`).join(''));
    const cut = await collect(deflateStream(chunksOf(input, 65_536), { level: 6, signal, pool }));
    const whole = (await import('node:zlib')).deflateRawSync(input, { level: 6, memLevel: 9 });
    expect(cut.byteLength).toBeLessThan(whole.byteLength * 1.02);
  });

  test('stops when it is told to', async () => {
    const controller = new AbortController();
    const work = async () => {
      for await (const _ of deflateStream(chunksOf(mixed(20 * BLOCK), BLOCK), { level: 9, signal: controller.signal, pool }))
        controller.abort(new Error('enough'));
    };
    await expect(work()).rejects.toThrow('enough');
  });

  test('passes on a failure of its source', async () => {
    async function* failing() {
      yield mixed(2 * BLOCK);
      throw new Error('torn');
    }
    await expect(collect(deflateStream(failing(), { level: 1, signal, pool }))).rejects.toThrow('torn');
  });
});

describe('gzip', () => {
  test.each([0, 5, 2 * BLOCK + 1])('%i bytes are one member that comes back', async (bytes) => {
    const input = mixed(bytes);
    const packed = await collect(gzip(chunksOf(input, 50_000), { level: 6, signal, pool }));
    expect(gunzipSync(packed).equals(input)).toBe(true);
    expect(packed.subarray(0, 10).toString('hex')).toBe('1f8b0800000000000003');
  });
});

test('cutting into blocks keeps every byte and the size of all but the last', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 300 }),
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: 1, max: 50 }),
      async (bytes, piece, size) => {
        const blocks: Uint8Array[] = [];
        for await (const block of blocksOf(chunksOf(bytes, piece), size)) blocks.push(block);
        expect(Buffer.concat(blocks).equals(bytes)).toBe(true);
        expect(blocks.slice(0, -1).every((block) => block.byteLength === size)).toBe(true);
      },
    ),
  );
});

test('only the last item is marked as such', async () => {
  async function* three() {
    yield* ['a', 'b', 'c'];
  }
  const marked: unknown[] = [];
  for await (const each of markingLast(three())) marked.push(each);
  expect(marked).toEqual([
    { item: 'a', isLast: false },
    { item: 'b', isLast: false },
    { item: 'c', isLast: true },
  ]);
});
