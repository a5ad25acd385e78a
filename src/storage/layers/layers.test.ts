import { describe, expect, test } from 'vitest';
import { outgoing, textOf } from '../../../test/contract/storage-samples.ts';
import { StorageException } from '../../core/errors.ts';
import type { Outgoing, Storage } from '../../core/storage.ts';
import { openMemory } from '../backends/memory.ts';
import { withLayers } from './layers.ts';

const { signal } = new AbortController();
const transient = () => new StorageException('cut', { retryable: true, context: { code: 'broken' } });
const world = { wait: async () => {}, random: () => 0 };

/** A memory of which every call fails as often as said before it works. */
const failing = (times: number): { readonly storage: Storage; readonly calls: () => number } => {
  const inner = openMemory();
  let calls = 0;
  const flaky =
    <A extends unknown[], T>(work: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      calls += 1;
      if (calls <= times) throw transient();
      return work(...args);
    };
  return { storage: { ...inner, stat: flaky(inner.stat), write: flaky(inner.write), remove: flaky(inner.remove) }, calls: () => calls };
};

describe('trying again', () => {
  test('gets over faults that pass', async () => {
    const { storage, calls } = failing(2);
    const item = await withLayers(storage, world).write('x', outgoing('hello'), { signal });
    expect([item.bytes, calls()]).toEqual([5, 3]);
  });

  test('ends with the attempts', async () => {
    const { storage, calls } = failing(9);
    await expect(withLayers(storage, world).stat('x', { signal })).rejects.toMatchObject({ type: 'RetryExhaustedException' });
    expect(calls()).toBe(3);
  });

  test('does not repeat what is final', async () => {
    const inner = openMemory();
    let calls = 0;
    const storage: Storage = {
      ...inner,
      async remove() {
        calls += 1;
        throw new StorageException('no', { context: { code: 'denied' } });
      },
    };
    await expect(withLayers(storage, world).remove('x', { signal })).rejects.toMatchObject({ context: { code: 'denied' } });
    expect(calls).toBe(1);
  });

  test('a read goes on behind the last byte that came', async () => {
    const inner = openMemory();
    const content = 'x'.repeat(100_000) + 'y'.repeat(100_000);
    await inner.write('big', outgoing(content), { signal });
    const starts: number[] = [];
    const storage: Storage = {
      ...inner,
      async read(path, options) {
        starts.push(options.stretch?.start ?? 0);
        const chunks = await inner.read(path, options);
        return cutAfter(chunks, 2);
      },
    };
    expect(await textOf(await withLayers(storage, world).read('big', { signal }))).toBe(content);
    expect(starts).toEqual([0, 131_072]);
  });

  test('a read that goes on in another version is refused', async () => {
    const inner = openMemory();
    await inner.write('big', outgoing('x'.repeat(200_000)), { signal });
    const storage: Storage = {
      ...inner,
      async read(path, options) {
        const chunks = await inner.read(path, options);
        await inner.write('big', outgoing('other'.repeat(40_000)), { signal });
        return cutAfter(chunks, 1);
      },
    };
    const reading = withLayers(storage, world).read('big', { signal });
    await expect(reading.then(textOf)).rejects.toMatchObject({ context: { code: 'changed' } });
  });
});

async function* cutAfter(chunks: AsyncIterable<Uint8Array>, count: number): AsyncGenerator<Uint8Array> {
  let passed = 0;
  for await (const chunk of chunks) {
    if (passed === count) throw transient();
    passed += 1;
    yield chunk;
  }
}

describe('verifying', () => {
  test('tells by what', async () => {
    expect(await withLayers(openMemory(), world).write('x', outgoing('hi'), { signal })).toMatchObject({ verified: 'sha256' });
  });

  test('by the size where no digest is wanted', async () => {
    const written = await withLayers(openMemory(), world).write('x', outgoing('hi'), { signal, verify: 'none' });
    expect(written).toMatchObject({ verified: 'size' });
  });

  test('by the size where there is no digest', async () => {
    const inner = openMemory();
    const plain: Storage = { ...inner, can: { ...inner.can, hashes: [] } };
    expect(await withLayers(plain, world).write('x', outgoing('hi'), { signal })).toMatchObject({ verified: 'size' });
  });

  test('what arrives otherwise than it was sent never shows', async () => {
    const inner = openMemory();
    const bending: Storage = {
      ...inner,
      write: (path, content, options) => inner.write(path, bent(content), options),
    };
    await inner.write('x', outgoing('old'), { signal });
    const writing = withLayers(bending, { ...world, retry: { attempts: 1, backoffS: 0, capS: 0 } }).write('x', outgoing('new'), { signal });
    await expect(writing).rejects.toThrow(/did not arrive as it was sent: its sha256/);
    expect(await textOf(await inner.read('x', { signal }))).toBe('old');
  });
});

/** Content of which one bit falls over on the way. */
const bent = (content: Outgoing): Outgoing => ({
  ...content,
  async *chunks(stretch, options) {
    for await (const chunk of content.chunks(stretch, options)) {
      const copy = Buffer.from(chunk);
      copy[0] = (copy[0] ?? 0) ^ 1;
      yield copy;
    }
  },
});

test('bytes are told in both directions', async () => {
  const told: string[] = [];
  const storage = withLayers(openMemory(), { ...world, tellers: [(direction, bytes) => void told.push(`${direction} ${bytes}`)] });
  await storage.write('x', outgoing('x'.repeat(1500)), { signal });
  await textOf(await storage.read('x', { signal }));
  expect(told).toEqual(['upload 1000', 'upload 500', 'download 1500']);
});

test('a teller that refuses stops the transfer, and nothing shows', async () => {
  const inner = openMemory();
  const refuse = () => {
    throw new Error('the budget is spent');
  };
  await expect(withLayers(inner, { ...world, tellers: [refuse] }).write('x', outgoing('x'), { signal })).rejects.toThrow(
    'the budget is spent',
  );
  expect(await inner.stat('x', { signal })).toBeUndefined();
});
