import { symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { contentsOf, flipped } from '../../../../../test/support/archives/contents.ts';
import { NO_LIMITS, signal, sourceOf } from '../../../../../test/support/archives/memory.ts';
import { hasTool, tool } from '../../../../../test/support/archives/tools.ts';
import { tempDir } from '../../../../../test/support/temp-dir.ts';
import { openSeven } from './open-seven.ts';

const open = (bytes: Buffer) => openSeven(sourceOf(bytes, 100_000), { limits: NO_LIMITS, signal });
const read = async (bytes: Buffer) => contentsOf(await open(bytes));

/** Packs files with 7z; a value that begins with `->` makes a link. */
const pack = (files: Readonly<Record<string, string>>, ...args: string[]): Buffer => {
  const isLink = (name: string) => files[name]?.startsWith('->') === true;
  using dir = tempDir(Object.fromEntries(Object.entries(files).filter(([name]) => !isLink(name))));
  for (const name of Object.keys(files).filter(isLink)) symlinkSync(files[name]?.slice(2) ?? '', dir.at(name));
  const tops = [...new Set(Object.keys(files).map((name) => name.split('/')[0] ?? ''))];
  tool('7z', ['a', '-snl', ...args, 'o.7z', ...tops], { cwd: dir.path });
  return Buffer.from(tool('cat', ['o.7z'], { cwd: dir.path }));
};

describe.skipIf(!hasTool('7z'))('a 7z archive (needs 7z)', () => {
  const FILES = { 'a.txt': 'one', 'd/e.txt': 'two', 'd/long': 'text '.repeat(20_000), 'd/empty': '' };

  test.each([
    [['-mx=1']],
    [['-mx=9']],
    [['-m0=copy']],
    [['-m0=bzip2']],
    [['-m0=deflate']],
    [['-m0=ppmd']],
    [['-m0=lzma']],
    [['-m0=lzma2']],
    [['-m0=bcj', '-m1=lzma2']],
    [['-m0=bcj2', '-m1=lzma', '-m2=lzma', '-m3=lzma', '-mb0:1', '-mb0s1:2', '-mb0s2:3']],
    [['-m0=delta:4', '-m1=lzma']],
    [['-ms=off']],
    [['-mhc=off']],
  ])('packed with %s gives its contents', async (args) => {
    expect(await read(pack(FILES, ...args))).toEqual(FILES);
  });

  test('tells directories from files, their permissions and times', async () => {
    const { entries } = await open(pack({ ...FILES, 'é.txt': '' }));
    expect(entries.map(({ name, kind }) => `${kind} ${name}`).sort()).toEqual([
      'dir d',
      'file a.txt',
      'file d/e.txt',
      'file d/empty',
      'file d/long',
      'file é.txt',
    ]);
    expect(entries.every(({ mode, mtimeMs }) => mode !== undefined && mtimeMs !== undefined && mtimeMs > 1.6e12)).toBe(true);
  });

  test('tells where its links lead', async () => {
    const archive = await open(pack({ ...FILES, l: '->d/long', 'd/up': '->../a.txt' }));
    const examined = await archive.examine([...archive.entries.keys()]);
    expect(examined.flatMap(({ name, kind, linkTarget }) => (kind === 'symlink' ? [`${name} ${linkTarget}`] : [])).sort()).toEqual([
      'd/up ../a.txt',
      'l d/long',
    ]);
  });

  test('gives only what is wanted, also from the middle of what is packed together', async () => {
    const archive = await open(pack(FILES));
    const index = archive.entries.findIndex(({ name }) => name === 'd/e.txt');
    const seen: string[] = [];
    await archive.examine([index]);
    await archive.read([index], async (at, content) => {
      for await (const chunk of content) seen.push(`${at} ${Buffer.from(chunk)}`);
    });
    expect(seen).toEqual([`${index} two`]);
  });

  test('may have many files that are packed each alone', async () => {
    const files = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`f${at}`, `content ${at}`]));
    expect(await read(pack(files, '-ms=off'))).toEqual(files);
  });

  test.each([[['-psecret']], [['-psecret', '-mhe=on']]])('encrypted with %s is refused before anything is read', async (args) => {
    await expect(
      (async () => {
        const archive = await open(pack(FILES, ...args));
        await archive.examine([...archive.entries.keys()]);
      })(),
    ).rejects.toThrow('encrypted');
  });

  test('packed in a way that the reader does not know is refused before anything is read', async () => {
    const archive = await open(pack(FILES, '-m0=deflate64'));
    await expect(archive.examine([...archive.entries.keys()])).rejects.toThrow('is packed by the method 040109');
  });

  test('is refused wherever it is cut', async () => {
    const whole = pack(FILES);
    for (const part of [0.1, 0.5, 0.9, 0.999])
      await expect(read(whole.subarray(0, Math.floor(whole.byteLength * part)))).rejects.toMatchObject({ type: 'ArchiveException' });
  });

  test('is refused or right where a bit of its headers is changed', async () => {
    const whole = pack({ 'a.txt': 'one', 'b.txt': 'two' }, '-mhc=off');
    const start = 32;
    for (let bit = 0; bit < whole.byteLength * 8; bit += whole.byteLength > 400 ? 37 : 13) {
      if (bit >= start * 8 && bit < start * 8 + 64) continue; // contents have a test of their own
      const got = await read(flipped(whole, bit)).catch(({ type }) => type);
      if (got !== 'ArchiveException') expect(got).toEqual({ 'a.txt': 'one', 'b.txt': 'two' });
    }
  }, 300_000);
});
