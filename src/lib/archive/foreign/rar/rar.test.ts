import { describe, expect, test } from 'vitest';
import { buildRar4, buildRar5, type RarFile, rarNumber } from '../../../../../test/support/archives/build-rar.ts';
import { contentsOf } from '../../../../../test/support/archives/contents.ts';
import { NO_LIMITS, signal, sourceOf } from '../../../../../test/support/archives/memory.ts';
import { packRar5WithoutEnd } from '../../../../../test/support/archives/pack-rar-literals.ts';
import { createBlake2sp } from './blake2sp.ts';
import { openRar } from './open-rar.ts';

const open = (bytes: Buffer) => openRar(sourceOf(bytes), { limits: NO_LIMITS, signal });
const read = async (bytes: Buffer) => contentsOf(await open(bytes));

const FILES: readonly RarFile[] = [
  { name: 'a.txt', data: 'one' },
  { name: 'd/b.txt', data: 'text '.repeat(1000), isPacked: true },
  { name: 'd/c.txt', data: 'more \xff'.repeat(1000), isPacked: true },
  { name: 'd/d.txt', data: 'last' },
];
const CONTENTS = Object.fromEntries(FILES.map(({ name, data }) => [name, Buffer.from(data).toString('latin1')]));

describe.each([
  ['older', buildRar4],
  ['newer', buildRar5],
])('a rar archive of the %s format', (_, build) => {
  test('gives its contents, packed or not', async () => {
    expect(await read(build(FILES))).toEqual(CONTENTS);
  });

  test('gives only what is wanted', async () => {
    const archive = await open(build(FILES));
    const seen: number[] = [];
    await archive.examine([2]);
    await archive.read([2], async (index, content) => {
      for await (const __ of content);
      seen.push(index);
    });
    expect(seen).toEqual([2]);
  });

  test('is refused wherever it is cut', async () => {
    const whole = build(FILES);
    for (const end of [10, 25, 60, 90, 2000, whole.byteLength - 1])
      await expect(read(whole.subarray(0, end))).rejects.toMatchObject({ type: 'ArchiveException' });
  });

  test('may hold nothing', async () => {
    expect(await read(build([]))).toEqual({});
  });

  test.each([
    ['a flag for the whole', build(FILES, { main: 1 })],
    ['its end', build(FILES, { end: 1 })],
    ['a file that goes on in the next one', build([{ name: 'a', data: 'x', flags: build === buildRar4 ? 2 : 0x10 }])],
    ['a file that began in the one before', build([{ name: 'a', data: 'x', flags: build === buildRar4 ? 1 : 0x08 }])],
  ])('that is one of several volumes by %s is refused before anything is read', async (__, bytes) => {
    await expect(open(bytes)).rejects.toMatchObject({ type: 'ArchiveException', context: { reason: 'volumes' } });
  });

  test.each([
    ['stored', { name: 'a', data: 'words', checksum: 1 }],
    ['packed', { name: 'a', data: 'words', isPacked: true, checksum: 1 }],
    ['shorter than it says', { name: 'a', data: 'words', size: 6 }],
    ['longer than it says', { name: 'a', data: 'words', isPacked: true, size: 4 }],
  ])('with a content that is %s and not what it states is refused', async (__, file) => {
    await expect(read(build([file]))).rejects.toMatchObject({ type: 'ArchiveException' });
  });

  test('is called damaged only where we read the content ourselves', async () => {
    await expect(read(build([{ name: 'a', data: 'words', checksum: 1 }]))).rejects.toThrow('The archive is damaged');
    const packed = read(build([{ name: 'a', data: 'words', isPacked: true, checksum: 1 }]));
    await expect(packed).rejects.toThrow(
      'The content of "a" could not be verified by its size and check sum: the archive is damaged or in a form of rar that is not supported; unar or 7z may read it.',
    );
    await expect(packed).rejects.toMatchObject({ context: { entry: 'a', format: 'rar', reason: 'unverified' } });
  });

  test('is not called damaged alone where the reader gives up', async () => {
    const bytes = build([{ name: 'a', data: 'words', packed: Buffer.alloc(64, 0xff), size: 5000 }]);
    await expect(read(bytes)).rejects.toMatchObject({
      message: expect.stringContaining('the archive is damaged or in a form'),
      context: { reason: 'unverified' },
    });
  });

  test('separates names as its format does', async () => {
    const { entries } = await open(build([{ name: 'd\\a', data: '' }]));
    expect(entries.map(({ name }) => name)).toEqual([build === buildRar4 ? 'd/a' : 'd\\a']);
  });

  test('tells times and permissions', async () => {
    const { entries } = await open(build([{ name: 'a', data: '', mode: 0o100750 }]));
    expect(entries[0]).toMatchObject({ kind: 'file', mode: 0o750 });
  });

  test('with a device in it says so', async () => {
    const { entries } = await open(build([{ name: 'a', data: '', mode: 0o020644 }]));
    expect(entries[0]).toMatchObject({ kind: 'special', about: 'a character device' });
  });
});

describe('a rar archive of the older format', () => {
  test('keeps the targets of links as contents', async () => {
    const archive = await open(buildRar4([{ name: 'l', data: 'a/b', mode: 0o120777 }]));
    expect(await archive.examine([0])).toMatchObject([{ kind: 'symlink', linkTarget: 'a/b' }]);
  });

  test('may name its files in two ways, of which the wide one counts', async () => {
    // A plain "?.txt", then: no common upper byte; two bytes for the first letter, a run of four of the plain name.
    const packed = Buffer.from([0x00, 0b10_11_00_00, 0xe9, 0x00, 0x02]);
    const name = Buffer.concat([Buffer.from('?.txt\0'), packed]);
    const { entries } = await open(buildRar4([{ name, data: '', flags: 0x200 }]));
    expect(entries.map((entry) => entry.name)).toEqual(['é.txt']);
  });

  test.each([
    ['encrypted', { flags: 0x04 }, 'is encrypted'],
    ['packed together with others', { flags: 0x10 }, 'solid'],
    ['packed by an old program', { packer: 20 }, 'older programs'],
  ])('with a file that is %s is refused before anything is read', async (_, about, reason) => {
    const archive = await open(buildRar4([{ name: 'a', data: 'x', isPacked: true, ...about }]));
    await expect(archive.examine([0])).rejects.toThrow(reason);
  });

  test('with encrypted headers is refused', async () => {
    await expect(open(buildRar4([], { main: 0x80 }))).rejects.toThrow('encrypted');
  });
});

describe('a rar archive of the newer format', () => {
  const withRecord = (type: number, content: Buffer, file: Partial<RarFile> = {}) =>
    buildRar5([{ name: 'a', data: 'words', isPacked: true, ...file, extra: [[type, content]] }]);

  const hashed = (data: string): Buffer => {
    const sum = createBlake2sp();
    sum.update(Buffer.from(data));
    return Buffer.concat([rarNumber(0), sum.digest()]);
  };

  test('is compared with its BLAKE2sp where that is its check sum', async () => {
    expect(await read(withRecord(2, hashed('words'), { checksum: 'none' }))).toEqual({ a: 'words' });
    await expect(read(withRecord(2, hashed('other'), { checksum: 'none' }))).rejects.toThrow('check sum');
  });

  test('without a check sum is refused before anything is read, unless we read it ourselves', async () => {
    const archive = await open(buildRar5([{ name: 'a', data: 'words', isPacked: true, checksum: 'none' }]));
    await expect(archive.examine([0])).rejects.toThrow('has no check sum');
    expect(await read(buildRar5([{ name: 'a', data: 'words', checksum: 'none' }]))).toEqual({ a: 'words' });
  });

  const link = (kind: number, target: string) =>
    Buffer.concat([rarNumber(kind), rarNumber(0), rarNumber(target.length), Buffer.from(target)]);

  test.each([
    ['a symbolic link', 1, 'symlink'],
    ['a hard link', 4, 'hardlink'],
    ['a reference to an equal file', 5, 'hardlink'],
    ['a junction', 3, 'special'],
  ])('tells %s and where it leads', async (_, kind, expected) => {
    const { entries } = await open(withRecord(5, link(kind, 'd/b.txt'), { data: '', isPacked: false, size: 500 }));
    expect(entries[0]).toMatchObject({ kind: expected, linkTarget: 'd/b.txt', size: 0 });
  });

  test('with an encrypted file is refused before anything is read', async () => {
    const archive = await open(withRecord(1, Buffer.from([0, 0])));
    await expect(archive.examine([0])).rejects.toThrow('is encrypted');
  });

  test('has the exact time where it tells one', async () => {
    const time = Buffer.alloc(9);
    time.writeUIntBE(0x13, 0, 1); // Unix, of the last change, with nanoseconds
    time.writeUInt32LE(1_700_000_000, 1);
    time.writeUInt32LE(5_000_000, 5);
    const { entries } = await open(withRecord(3, time));
    expect(entries[0]?.mtimeMs).toBe(1_700_000_000_005);
  });

  test('tells older versions of a file apart', async () => {
    const { entries } = await open(withRecord(4, Buffer.from([0, 3])));
    expect(entries[0]?.name).toBe('a;3');
  });
});

test('an archive that keeps its reader busy for ever is left when its command is cancelled', async () => {
  const controller = new AbortController();
  const bytes = buildRar5([{ name: 'a', data: '', packed: packRar5WithoutEnd(), size: 196_608 }]);
  const archive = await openRar(sourceOf(bytes), { limits: NO_LIMITS, signal: controller.signal });
  await archive.examine([0]);
  const work = archive.read([0], async (_, content) => {
    for await (const __ of content);
  });
  setImmediate(() => controller.abort(new Error('enough')));
  await expect(work).rejects.toThrow('enough');
});
