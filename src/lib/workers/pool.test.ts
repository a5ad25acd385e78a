import { inflateRawSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { InternalException, PathTraversalException } from '../../core/errors.ts';
import { createPool, type Pool, sharedPool } from './pool.ts';

const { signal } = new AbortController();

/** A block to deflate; the smallest task there is. */
const block = (text: string) => ({ data: Buffer.from(text), dictionary: undefined, isLast: true, level: 6 });
/** Work on a file that nobody has open, which the system refuses. */
const closedFile = () => ({
  mode: 'seal' as const,
  key: new Uint8Array(32),
  header: { nonce: new Uint8Array(12), bytes: new Uint8Array(0) },
  layout: { offset: 0, chunkBytes: 10, size: 10, count: 1 },
  source: { fd: 1_000_000, path: 'closed' },
  target: 1_000_000,
  next: new SharedArrayBuffer(4),
});

const deflated = (pool: Pool, text: string) => pool.run('deflate_block', block(text), { signal });

/** A thread that does something of its own with every order. */
const threadDoing = (body: string): URL =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`import { parentPort, threadId } from 'node:worker_threads'; parentPort.on('message', async ({ id, input }) => { ${body} });`)}`,
  );
const poolDoing = (body: string, width = 1): Pool => createPool({ width, url: async () => threadDoing(body) });

describe('a pool', () => {
  const pool = createPool({ width: 2 });
  afterAll(() => pool[Symbol.asyncDispose]());

  test('runs a task and gives its value', async () => {
    expect(inflateRawSync(await deflated(pool, 'hello')).toString()).toBe('hello');
  });

  test('takes more tasks than it has threads', async () => {
    const packed = await Promise.all(Array.from({ length: 50 }, (_, at) => deflated(pool, `text ${at}`)));
    expect(packed.map((each) => inflateRawSync(each).toString())).toEqual(Array.from({ length: 50 }, (_, at) => `text ${at}`));
  });

  test('takes over the buffers it is handed', async () => {
    const data = new Uint8Array(1000);
    await pool.run('deflate_block', { ...block(''), data }, { signal, transfer: [data.buffer] });
    expect(data.byteLength).toBe(0);
  });

  test('gives a fault of the system with its code', async () => {
    await expect(pool.run('cipher_chunks', closedFile(), { signal })).rejects.toMatchObject({ code: 'EBADF', syscall: 'read' });
  });

  test('gives a typed error as what it was', async () => {
    using dir = tempDir({ 'real/x': '1' });
    const work = pool.run('gather_files', { root: dir.path, byHandles: true, entries: [['real', 'x', 'y']], level: 0 }, { signal });
    await expect(work).rejects.toBeInstanceOf(PathTraversalException);
  });

  test('starts nothing for a signal that has fired', async () => {
    const reason = new Error('enough');
    await expect(pool.run('deflate_block', block('x'), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});

test('the shared pool is one', () => {
  expect(sharedPool()).toBe(sharedPool());
});

test('as many threads work as the pool is wide', async () => {
  await using pool = poolDoing('parentPort.postMessage({ id, value: threadId });', 3);
  const threads = await Promise.all(Array.from({ length: 30 }, () => deflated(pool, '')));
  expect(new Set(threads).size).toBe(3);
});

test('threads can be started before there is work, at most as many as the pool is wide', async () => {
  await using pool = poolDoing('parentPort.postMessage({ id, value: threadId })', 2);
  expect(pool.isRunning).toBe(false);
  await pool.start(3);
  expect(pool.isRunning).toBe(true);
  const used = await Promise.all(Array.from({ length: 8 }, () => deflated(pool, '')));
  expect(new Set(used).size).toBe(2);
});

test('an idle thread is used again', async () => {
  await using pool = poolDoing('parentPort.postMessage({ id, value: threadId });', 3);
  const threads = [await deflated(pool, ''), await deflated(pool, ''), await deflated(pool, '')];
  expect(new Set(threads).size).toBe(1);
});

test('whoever gives up is told at once, and what waited never starts', async () => {
  const started = new SharedArrayBuffer(4);
  await using pool = poolDoing('Atomics.add(new Int32Array(input.data.buffer), 0, 1); parentPort.postMessage({ id: -1 });');
  const controller = new AbortController();
  const jobs = Array.from({ length: 5 }, () =>
    pool.run('deflate_block', { ...block(''), data: new Uint8Array(started) }, { signal: controller.signal }),
  );
  await expect.poll(() => new Int32Array(started)[0]).toBeGreaterThan(0);
  controller.abort(new Error('enough'));
  const ended = await Promise.allSettled(jobs);
  expect(ended.map((each) => each.status === 'rejected' && each.reason.message)).toEqual(Array.from({ length: 5 }, () => 'enough'));
  expect(new Int32Array(started)[0]).toBeLessThan(5);
});

test.each([
  ['is ended', 'process.exit(1);'],
  ['throws outside its task', "setImmediate(() => { throw new Error('boom'); });"],
])('a thread that %s fails its tasks and is replaced', async (_, body) => {
  await using pool = createPool({
    width: 1,
    url: async () => threadDoing(`if (input.level === 9) { ${body} } else parentPort.postMessage({ id, value: 'fine' });`),
  });
  await expect(pool.run('deflate_block', { ...block(''), level: 9 }, { signal })).rejects.toBeInstanceOf(InternalException);
  await expect(deflated(pool, '')).resolves.toBe('fine');
});

test('disposal ends the threads and fails what waits', async () => {
  const pool = poolDoing('await new Promise(() => {});');
  const jobs = Promise.allSettled(Array.from({ length: 4 }, () => deflated(pool, '')));
  await pool[Symbol.asyncDispose]();
  expect((await jobs).map(({ status }) => status)).toEqual(Array.from({ length: 4 }, () => 'rejected'));
});

test('without a file to start threads from, tasks run here', async () => {
  await using pool = createPool({ url: async () => undefined });
  expect(inflateRawSync(await deflated(pool, 'hello')).toString()).toBe('hello');
  await expect(pool.run('cipher_chunks', closedFile(), { signal })).rejects.toMatchObject({ code: 'EBADF' });
});

test('what waits for a thread that dies goes to the next one', async () => {
  await using pool = poolDoing("if (input.level === 9) process.exit(1); else parentPort.postMessage({ id, value: 'fine' });");
  const jobs = [9, 9, 6, 6].map((level) => pool.run('deflate_block', { ...block(''), level }, { signal }));
  expect((await Promise.allSettled(jobs)).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled', 'fulfilled']);
});
