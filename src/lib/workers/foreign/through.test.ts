import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { chunksOf, collect } from '../../../../test/support/archives/memory.ts';
import { compressionCalled } from '../../archive/compress/compressions.ts';
import { type ForeignOptions, openForeignThreads } from './threads.ts';
import { throughForeign } from './through.ts';

const { signal } = new AbortController();
const ended = (why: string) => new Error(`ended: ${why}`);
const open = (options: Partial<ForeignOptions> = {}) => openForeignThreads({ signal, ended, ...options });

const CONTENT = randomBytes(3_000_000);
let packed: Buffer = Buffer.alloc(0);
beforeAll(async () => {
  packed = await collect(compressionCalled('zst').pack(chunksOf(CONTENT, 65_536), { signal }));
});

describe.each([
  ['on a thread', {}],
  ['without threads, on this one', { url: async () => undefined }],
])('a stream %s', (_, options) => {
  test('gives everything in order', async () => {
    await using threads = open(options);
    expect(
      (await collect(throughForeign(threads, 'unpack_stream', { decoder: 'zst', lenient: false }, chunksOf(packed, 50_000)))).equals(
        CONTENT,
      ),
    ).toBe(true);
  });

  test('gives no empty pieces', async () => {
    await using threads = open(options);
    for await (const piece of throughForeign(threads, 'unpack_stream', { decoder: 'zst', lenient: false }, chunksOf(packed, 50_000)))
      expect(piece.byteLength).toBeGreaterThan(0);
  });

  test('gives what came before a fault, then the fault', async () => {
    await using threads = open(options);
    const seen: Buffer[] = [];
    const work = async () => {
      for await (const piece of throughForeign(
        threads,
        'unpack_stream',
        { decoder: 'zst', lenient: false },
        chunksOf(packed.subarray(0, 1_000_000), 50_000),
      ))
        seen.push(Buffer.from(piece));
    };
    await expect(work()).rejects.toMatchObject({ type: 'ArchiveException' });
    const before = Buffer.concat(seen);
    expect(before.byteLength).toBeGreaterThan(500_000);
    expect(before.equals(CONTENT.subarray(0, before.byteLength))).toBe(true);
  });

  test('fails with its source', async () => {
    async function* torn() {
      yield packed.subarray(0, 100);
      throw new Error('torn');
    }
    await using threads = open(options);
    await expect(collect(throughForeign(threads, 'unpack_stream', { decoder: 'zst', lenient: false }, torn()))).rejects.toThrow('torn');
  });

  test('closes its source when it is left', async () => {
    let isClosed = false;
    async function* source() {
      try {
        yield* chunksOf(packed, 50_000);
      } finally {
        isClosed = true;
      }
    }
    await using threads = open(options);
    for await (const piece of throughForeign(threads, 'unpack_stream', { decoder: 'zst', lenient: false }, source())) {
      expect(piece.byteLength).toBeGreaterThan(0);
      break;
    }
    expect(isClosed).toBe(true);
  });

  test('reads no more than it needs for a reader that is slow', async () => {
    let chunks = 0;
    async function* source() {
      for await (const chunk of chunksOf(packed, 50_000)) {
        chunks += 1;
        yield chunk;
      }
    }
    await using threads = open(options);
    const stream = throughForeign(threads, 'unpack_stream', { decoder: 'zst', lenient: false }, source());
    await stream.next();
    await expect.poll(() => chunks).toBeGreaterThan(4);
    expect(chunks).toBeLessThan(30);
    await stream.return(undefined);
  });
});

const SPINNING = new URL(
  `data:text/javascript,${encodeURIComponent("import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => { for (;;); });")}`,
);

test('a decoder that never answers is ended, and its source closed', async () => {
  const controller = new AbortController();
  await using threads = open({ signal: controller.signal, url: async () => SPINNING });
  const work = collect(throughForeign(threads, 'unpack_stream', { decoder: 'zst', lenient: false }, chunksOf(packed)));
  controller.abort(new Error('enough'));
  await expect(work).rejects.toThrow('enough');
});

test('a decoder that is silent for too long is ended', async () => {
  await using threads = open({ maxSilentMs: 1, url: async () => SPINNING });
  await expect(collect(throughForeign(threads, 'unpack_stream', { decoder: 'zst', lenient: false }, chunksOf(packed)))).rejects.toThrow(
    'ended: silent',
  );
});
