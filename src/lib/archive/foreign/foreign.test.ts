import { describe, expect, test } from 'vitest';
import { buildRar4, buildRar5 } from '../../../../test/support/archives/build-rar.ts';
import { collect, NO_LIMITS, signal, sourceOf } from '../../../../test/support/archives/memory.ts';
import { hasTool, tool } from '../../../../test/support/archives/tools.ts';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import { openForeign } from './open-foreign.ts';

const options = { limits: NO_LIMITS, signal };

const contentsOf = async (bytes: Buffer, format: '7z' | 'rar'): Promise<Record<string, string>> => {
  const archive = await openForeign(sourceOf(bytes), format, options);
  const files = archive.entries.flatMap(({ kind }, index) => (kind === 'file' ? [index] : []));
  await archive.examine(files);
  const contents: Record<string, string> = {};
  await archive.read(files, async (index, content) => {
    contents[archive.entries[index]?.name ?? ''] = (await collect(content)).toString();
  });
  return contents;
};

/** Packs files with 7z. */
const pack7z = (files: Readonly<Record<string, string>>, ...args: string[]): Buffer => {
  using dir = tempDir(files);
  tool('7z', ['a', ...args, 'o.7z', ...new Set(Object.keys(files).map((name) => name.split('/')[0] ?? ''))], { cwd: dir.path });
  return Buffer.from(tool('cat', ['o.7z'], { cwd: dir.path }));
};

describe.skipIf(!hasTool('7z'))('a 7z archive (needs 7z)', () => {
  const FILES = { 'a.txt': 'one', 'd/é.txt': 'two', 'd/long': 'text '.repeat(20_000) };

  test.each([[['-mx=1']], [['-mx=9']], [['-m0=bzip2']], [['-m0=deflate']], [['-ms=off']], [['-mhc=off']]])(
    'packed with %s gives its contents',
    async (args) => {
      expect(await contentsOf(pack7z(FILES, ...args), '7z')).toEqual(FILES);
    },
  );

  test('tells directories from files', async () => {
    const { entries } = await openForeign(sourceOf(pack7z(FILES)), '7z', options);
    expect(entries.map(({ name, kind }) => `${kind} ${name}`).sort()).toEqual(['dir d/', 'file a.txt', 'file d/long', 'file d/é.txt']);
  });

  test.each([[['-psecret']], [['-psecret', '-mhe=on']]])('encrypted with %s is refused', async (args) => {
    await expect(contentsOf(pack7z(FILES, ...args), '7z')).rejects.toThrow('encrypted');
  });

  test('is refused wherever it is cut', async () => {
    const whole = pack7z(FILES);
    for (const part of [0.1, 0.5, 0.9, 0.999])
      await expect(contentsOf(whole.subarray(0, Math.floor(whole.byteLength * part)), '7z')).rejects.toMatchObject({
        type: 'ArchiveException',
      });
  });

  test('is refused or right where a byte is changed', async () => {
    const whole = pack7z(FILES);
    for (const at of [6, 9, 13, 40, 100, whole.byteLength - 60, whole.byteLength - 5]) {
      const spoilt = Buffer.from(whole);
      spoilt[at] = (spoilt[at] ?? 0) ^ 0x40;
      const got = await contentsOf(spoilt, '7z').catch(({ type }) => type);
      if (got !== 'ArchiveException') expect(got).toEqual(FILES);
    }
  }, 180_000);
});

describe.each([
  ['older', buildRar4],
  ['newer', buildRar5],
])('a rar archive of the %s format', (_, build) => {
  const FILES = [
    { name: 'a.txt', data: 'one' },
    { name: 'd/b.txt', data: 'text '.repeat(1000) },
  ];

  test('gives its contents', async () => {
    expect(await contentsOf(build(FILES), 'rar')).toEqual(Object.fromEntries(FILES.map(({ name, data }) => [name, data])));
  });

  test('is refused wherever it is cut', async () => {
    const whole = build(FILES);
    for (const end of [10, 25, 60, 90, 2000, whole.byteLength - 1])
      await expect(contentsOf(whole.subarray(0, end), 'rar')).rejects.toMatchObject({ type: 'ArchiveException' });
  });

  test('may hold nothing', async () => {
    expect(await contentsOf(build([]), 'rar')).toEqual({});
  });
});

test('what is too large for memory is refused before it is read', async () => {
  const source = { ...sourceOf(Buffer.alloc(0)), size: 300 * 1024 ** 2 };
  await expect(openForeign(source, '7z', options)).rejects.toMatchObject({ type: 'QuotaExceededException' });
});
