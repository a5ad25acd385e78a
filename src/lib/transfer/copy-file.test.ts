import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { textOf } from '../../../test/contract/storage-samples.ts';
import type { Json } from '../../core/errors.ts';
import type { TransferNotes } from '../../core/ports/transfers.ts';
import type { Storage } from '../../core/storage.ts';
import { createMemory, openMemory } from '../../storage/backends/memory.ts';
import { copyFile } from './copy-file.ts';
import type { TransferOptions } from './transfer.ts';

const MIB = 1024 * 1024;

const options = (change: Partial<TransferOptions> = {}): TransferOptions => ({
  signal: new AbortController().signal,
  onConflict: 'overwrite',
  compare: 'size_mtime',
  verify: 'strongest',
  requireVerified: false,
  resume: true,
  maxWorkers: 4,
  preserve: true,
  ...change,
});

const source = () => openMemory({ location: 'mem+from:/' });
const target = () => openMemory({ location: 'mem+to:/' });

const put = (storage: Storage, path: string, content: Buffer, modifiedMs?: number) =>
  storage.write(
    path,
    {
      bytes: content.byteLength,
      async *chunks({ start, end }) {
        for (let at = start; at < (end ?? content.byteLength); at += MIB)
          yield content.subarray(at, Math.min(at + MIB, end ?? content.byteLength));
      },
    },
    { signal: new AbortController().signal, modifiedMs },
  );

const bytesAt = async (storage: Storage, path: string): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of await storage.read(path, { signal: new AbortController().signal })) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
};

/** Notes in memory, as they would be on the disk. */
const memoryNotes = () => {
  const kept = new Map<string, string>();
  const notes: TransferNotes = {
    hold: (key, _signal, work) =>
      work({
        read: async () => (kept.has(key) ? (JSON.parse(kept.get(key) ?? 'null') as Json) : undefined),
        write: async (note) => void kept.set(key, JSON.stringify(note)),
        remove: async () => void kept.delete(key),
      }),
  };
  return { kept, notes };
};

test('a small file goes in one piece, with its time', async () => {
  const [from, to] = [source(), target()];
  await put(from, 'a/b.txt', Buffer.from('hello'), 1_600_000_000_000);
  const done = await copyFile({ storage: from, path: 'a/b.txt' }, { storage: to, path: 'c.txt' }, options());
  expect(done).toMatchObject({ path: 'c.txt', bytes: 5, how: 'copied', verified: 'sha256' });
  expect(await to.stat('c.txt', options())).toMatchObject({ modifiedMs: 1_600_000_000_000 });
});

test('within one storage the service copies by itself', async () => {
  const memory = createMemory();
  const [from, to] = [openMemory({ memory }), openMemory({ memory })];
  await put(from, 'a', Buffer.from('hello'));
  expect(await copyFile({ storage: from, path: 'a' }, { storage: to, path: 'b' }, options())).toMatchObject({
    how: 'server_side',
    verified: 'sha256',
  });
});

test.each([
  ['skip', 'old', 'unchanged', 'x'],
  ['overwrite', 'new', 'copied', 'x'],
  ['rename', 'new', 'copied', 'x (2)'],
] as const)('where something is at the target, %s leaves %s there', async (onConflict, _expected, how, path) => {
  const [from, to] = [source(), target()];
  await put(from, 'x', Buffer.from('new'));
  await put(to, 'x', Buffer.from('old'));
  const done = await copyFile({ storage: from, path: 'x' }, { storage: to, path: 'x' }, options({ onConflict }));
  expect(done).toMatchObject({ how, path });
  expect(await textOf(await to.read(path, options()))).toBe(how === 'unchanged' ? 'old' : 'new');
});

test('where something is at the target, it can be refused', async () => {
  const [from, to] = [source(), target()];
  await put(from, 'x', Buffer.from('new'));
  await put(to, 'x', Buffer.from('old'));
  const copying = copyFile({ storage: from, path: 'x' }, { storage: to, path: 'x' }, options({ onConflict: 'error' }));
  await expect(copying).rejects.toMatchObject({ type: 'PathExistsException', context: { path: 'mem+to://x' } });
});

test('a large file goes in parts, and goes on behind those that have arrived', async () => {
  const [from, to] = [source(), target()];
  const content = randomBytes(70 * MIB);
  await put(from, 'big', content);
  const { kept, notes } = memoryNotes();
  const sent: number[] = [];
  const failing: Storage = {
    ...to,
    async startParts(path, given) {
      const write = await to.startParts?.(path, given);
      if (write === undefined) throw new Error('no parts');
      return {
        ...write,
        put: (number, part, how) => {
          if (number === 4) return Promise.reject(new Error('the line broke'));
          sent.push(number);
          return write.put(number, part, how);
        },
      };
    },
  };
  const ends = (storage: Storage) =>
    [
      { storage: from, path: 'big' },
      { storage, path: 'big' },
    ] as const;
  await expect(copyFile(...ends(failing), options({ notes, maxWorkers: 1 }))).rejects.toThrow('the line broke');
  expect([sent, kept.size, await to.stat('big', options())]).toEqual([[1, 2, 3], 1, undefined]);
  const done = await copyFile(...ends(to), options({ notes }));
  expect(done).toMatchObject({ how: 'resumed', resumedBytes: 48 * MIB, bytes: 70 * MIB });
  expect((await bytesAt(to, 'big')).equals(content)).toBe(true);
  expect(kept.size).toBe(0);
});

test('what was left of another version of the file is given up', async () => {
  const memory = createMemory();
  const [from, to] = [source(), openMemory({ memory, location: 'mem+to:/' })];
  await put(from, 'big', randomBytes(40 * MIB));
  const { notes } = memoryNotes();
  const failing: Storage = { ...to, startParts: async (path, given) => failAtSecond(await to.startParts?.(path, given)) };
  const ends = (storage: Storage) =>
    [
      { storage: from, path: 'big' },
      { storage, path: 'big' },
    ] as const;
  await expect(copyFile(...ends(failing), options({ notes, maxWorkers: 1 }))).rejects.toThrow('broken');
  expect(memory.uploads.size).toBe(1);
  const other = randomBytes(40 * MIB);
  await put(from, 'big', other);
  expect(await copyFile(...ends(to), options({ notes }))).toMatchObject({ how: 'copied', resumedBytes: 0 });
  expect((await bytesAt(to, 'big')).equals(other)).toBe(true);
  expect(memory.uploads.size).toBe(0);
});

type Parted = NonNullable<Awaited<ReturnType<NonNullable<Storage['resumeParts']>>>>;
const failAtSecond = (write: Parted | undefined): Parted => {
  if (write === undefined) throw new Error('no parts');
  return { ...write, put: (number, part, how) => (number === 2 ? Promise.reject(new Error('broken')) : write.put(number, part, how)) };
};

/** A source that sends other bytes than it has told of. */
const lying = (told: number, sent: () => AsyncIterable<Uint8Array>): Storage => ({
  ...source(),
  stat: async (path) => ({ path, kind: 'file', bytes: told }),
  read: async () => sent(),
});

async function* endless(): AsyncGenerator<Uint8Array> {
  for (;;) yield Buffer.alloc(1000);
}

test.each([
  [
    'less',
    5,
    async function* () {
      yield Buffer.from('abc');
    },
  ],
  [
    'more',
    5,
    async function* () {
      yield Buffer.from('abcdefghi');
    },
  ],
  ['without end', 5, endless],
])('a source that sends %s than it told leaves what was there', async (_, told, sent) => {
  const to = target();
  await put(to, 'x', Buffer.from('OLD PRECIOUS'));
  for (const storage of [to, { ...to, can: { ...to.can, hashes: [] } }]) {
    const copying = copyFile({ storage: lying(told, sent), path: 'x' }, { storage, path: 'x' }, options());
    await expect(copying).rejects.toMatchObject({ context: { code: 'broken' } });
    expect(await textOf(await to.read('x', options()))).toBe('OLD PRECIOUS');
  }
});

test('a length that no target could take is refused at once', async () => {
  const copying = copyFile({ storage: lying(Number.MAX_SAFE_INTEGER, endless), path: 'x' }, { storage: target(), path: 'x' }, options());
  await expect(copying).rejects.toMatchObject({ type: 'CrossBackendException', context: { bytes: Number.MAX_SAFE_INTEGER } });
});

test('whoever cancels leaves no parts behind', async () => {
  const memory = createMemory();
  const [from, to] = [source(), openMemory({ memory, location: 'mem+to:/' })];
  await put(from, 'big', randomBytes(40 * MIB));
  const { kept, notes } = memoryNotes();
  const controller = new AbortController();
  let told = 0;
  const onBytes = (bytes: number) => {
    told += bytes;
    if (told > 20 * MIB) controller.abort(new Error('enough'));
  };
  const copying = copyFile(
    { storage: from, path: 'big' },
    { storage: to, path: 'big' },
    options({ notes, signal: controller.signal, onBytes }),
  );
  await expect(copying).rejects.toThrow('enough');
  expect([memory.uploads.size, kept.size, memory.entries.has('big')]).toEqual([0, 0, false]);
});

test('a target that tells no digest is refused where one is required', async () => {
  const [from, to] = [source(), target()];
  await put(from, 'x', Buffer.from('hi'));
  const plain: Storage = { ...to, can: { ...to.can, hashes: [] } };
  const copying = copyFile({ storage: from, path: 'x' }, { storage: plain, path: 'x' }, options({ requireVerified: true }));
  await expect(copying).rejects.toMatchObject({ type: 'CrossBackendException' });
  expect(await to.stat('x', options())).toBeUndefined();
});
