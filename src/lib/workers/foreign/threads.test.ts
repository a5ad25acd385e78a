import { describe, expect, test } from 'vitest';
import { CancelledException, QuotaExceededException, TimeoutException } from '../../../core/errors.ts';
import { type ForeignOptions, openForeignThreads } from './threads.ts';

const { signal } = new AbortController();

/** `(module (func (export "f") (loop br 0)))`: wasm that never comes back. */
const SPIN = 'AGFzbQEAAAABBAFgAAADAgEABwUBAWYAAAoJAQcAA0AMAAsL';

/** A thread that says `started` through shared memory and then does something of its own. */
const threadDoing = (body: string) => async () =>
  new URL(
    `data:text/javascript,${encodeURIComponent(
      `import { parentPort, threadId } from 'node:worker_threads';
       parentPort.on('message', async ({ id, input }) => {
         const started = new Int32Array(input.data.buffer);
         Atomics.store(started, 0, 1);
         const answer = (value) => parentPort.postMessage({ id, value });
         ${body}
       });`,
    )}`,
  );

const spin = `const { instance } = await WebAssembly.instantiate(Buffer.from('${SPIN}', 'base64')); instance.exports.f();`;
const spinning = threadDoing(spin);
const answering = threadDoing(`if (input.level === 9) { ${spin} } answer(threadId);`);

const ended = (why: string, cause?: unknown) => new QuotaExceededException(`ended: ${why}`, { cause });
const open = (options: Partial<ForeignOptions>) => openForeignThreads({ signal, ended, ...options });

/** Any order will do: the threads of these tests do what they like with it. */
const order = (started = new SharedArrayBuffer(4)) => ({ data: new Uint8Array(started), dictionary: undefined, isLast: true, level: 6 });

const hasStarted = (started: SharedArrayBuffer) => expect.poll(() => new Int32Array(started)[0]).toBe(1);

describe('a thread that spins in foreign code', () => {
  test.each([
    ['cancelled', new CancelledException('no more')],
    ['out of time', new TimeoutException('too late')],
  ])('is ended when its command is %s', async (_, reason) => {
    const controller = new AbortController();
    await using threads = open({ signal: controller.signal, url: spinning });
    const started = new SharedArrayBuffer(4);
    const work = threads.run('deflate_block', order(started));
    await hasStarted(started);
    controller.abort(reason);
    await expect(work).rejects.toBe(reason);
  });

  test('is ended when it was silent for too long', async () => {
    await using threads = open({ url: spinning, maxSilentMs: 1 });
    await expect(threads.run('deflate_block', order())).rejects.toThrow('ended: silent');
  });

  test('is ended when its owner leaves', async () => {
    const started = new SharedArrayBuffer(4);
    let work: Promise<unknown> = Promise.resolve();
    {
      await using threads = open({ url: spinning });
      work = threads.run('deflate_block', order(started));
      work.catch(() => {});
      await hasStarted(started);
    }
    await expect(work).rejects.toThrow('ended: crashed');
  });
});

test('a thread that fills its heap is ended, and the process goes on', async () => {
  const limits = { heap: { maxOldGenerationSizeMb: 16 }, maxWasmBytes: 2 ** 20 };
  await using threads = open({
    limits,
    url: threadDoing('const all = []; for (;;) all.push(new Array(100_000).fill({}).map((_, at) => ({ at })));'),
  });
  await expect(threads.run('deflate_block', order())).rejects.toThrow('ended: memory');
});

test('a thread that ends itself fails its command', async () => {
  await using threads = open({ url: threadDoing('process.exit(0);') });
  await expect(threads.run('deflate_block', order())).rejects.toThrow('ended: crashed');
});

test('nothing starts for a signal that has fired', async () => {
  const reason = new Error('enough');
  await using threads = open({ signal: AbortSignal.abort(reason), url: answering });
  await expect(threads.run('deflate_block', order())).rejects.toBe(reason);
});

describe('a kept thread', () => {
  const id = async (options: Partial<ForeignOptions>) => {
    await using threads = open({ url: answering, isKept: true, ...options });
    return await threads.run('deflate_block', order());
  };

  test('serves the next one', async () => {
    expect(await id({})).toBe(await id({}));
  });

  test('is not kept where it was ended', async () => {
    const before = await id({});
    {
      await using threads = open({ url: answering, isKept: true, maxSilentMs: 1 });
      await expect(threads.run('deflate_block', { ...order(), level: 9 })).rejects.toThrow('ended: silent');
    }
    expect(await id({})).not.toBe(before);
  });

  test('is not used while another command has it', async () => {
    await using first = open({ url: answering, isKept: true });
    await using second = open({ url: answering, isKept: true });
    expect(await first.run('deflate_block', order())).not.toBe(await second.run('deflate_block', order()));
  });
});
