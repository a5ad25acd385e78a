import { chmodSync, lstatSync, mkdirSync, readFileSync, symlinkSync, utimesSync } from 'node:fs';
import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { treeOf } from '../../../../test/support/archives/tree.ts';
import { openHouse, type TestHouse } from '../../../../test/support/house.ts';

const zip = async (house: TestHouse, args: Record<string, unknown>) => (await house.run([['FA_zip_dir', args]])).results[0];
const namesOf = async (house: TestHouse, path: string) => (await house.run([['FA_zip_file_info', [path]]])).results[0]?.value;

describe('FA_zip_dir', () => {
  test('packs files, directories and links with their modes and times', async () => {
    await using house = openHouse({ files: { 's/a.txt': 'one', 's/n/b.txt': 'two' } });
    mkdirSync(house.dir.at('s/empty'));
    symlinkSync('n/b.txt', house.dir.at('s/link'));
    chmodSync(house.dir.at('s/a.txt'), 0o640);
    utimesSync(house.dir.at('s/a.txt'), 1_700_000_000, 1_700_000_000);
    utimesSync(house.dir.at('s/n'), 1_600_000_000, 1_600_000_000);
    expect(await zip(house, { dir_we_want_to_zip: 's', zip_name: 'o.zip' })).toMatchObject({ status: 'ok', value: null });
    expect(await namesOf(house, 'o.zip')).toEqual(['a.txt', 'empty/', 'link', 'n/', 'n/b.txt']);
    const { results } = await house.run([['FA_unzip_all', { zip_file_path: 'o.zip', extract_path: 'x', links: 'inside' }]]);
    expect(results[0]?.status).toBe('ok');
    expect(treeOf(house.dir.at('x'))).toEqual(treeOf(house.dir.at('s')));
    const [file, directory] = ['x/a.txt', 'x/n'].map((name) => lstatSync(house.dir.at(name)));
    expect([file?.mode.toString(8), file?.mtimeMs, directory?.mtimeMs]).toEqual(['100640', 1_700_000_000_000, 1_600_000_000_000]);
  });

  test.each([
    ['out', 'out.zip'],
    ['out.zip', 'out.zip'],
    ['OUT.ZIP', 'OUT.ZIP'],
    ['deep/down/out', 'deep/down/out.zip'],
  ])('writes %s as %s', async (given, written) => {
    await using house = openHouse({ files: { 's/a': '1' } });
    await zip(house, { dir_we_want_to_zip: 's', zip_name: given });
    expect(await namesOf(house, written)).toEqual(['a']);
  });

  test('refuses a directory that is not there and leaves no archive', async () => {
    await using house = openHouse();
    expect((await zip(house, { dir_we_want_to_zip: 'nope', zip_name: 'o' }))?.error?.type).toBe('DirNotExistsException');
    expect([...treeOf(house.dir.path)]).toEqual([]);
  });

  test('does not pack the archive into itself, new or old', async () => {
    await using house = openHouse({ files: { 's/a': '1' } });
    const args = { dir_we_want_to_zip: 's', zip_name: 's/o.zip' };
    await zip(house, args);
    const first = readFileSync(house.dir.at('s/o.zip'));
    expect(await namesOf(house, 's/o.zip')).toEqual(['a']);
    await zip(house, args);
    expect(readFileSync(house.dir.at('s/o.zip')).equals(first)).toBe(true);
  });

  test('gives the same bytes again, also for hundreds of files on several threads', async () => {
    const files = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`s/${at % 7}/${at}.txt`, `text ${at} `.repeat(at * 20)]));
    await using house = openHouse({ files: { ...files, 's/large.txt': 'large '.repeat(200_000) } });
    for (const zip_name of ['one', 'two']) expect((await zip(house, { dir_we_want_to_zip: 's', zip_name }))?.error).toBeUndefined();
    expect(readFileSync(house.dir.at('one.zip')).equals(readFileSync(house.dir.at('two.zip')))).toBe(true);
    await house.run([['FA_unzip_all', { zip_file_path: 'one.zip', extract_path: 'x' }]]);
    expect(treeOf(house.dir.at('x'))).toEqual(treeOf(house.dir.at('s')));
  });

  test('leaves out what is no file, directory or link, and says so', async () => {
    await using house = openHouse({ files: { 's/a': '1' } });
    const server = createServer().listen(house.dir.at('s/socket'));
    await new Promise((resolve) => server.once('listening', resolve));
    const outcome = await zip(house, { dir_we_want_to_zip: 's', zip_name: 'o' });
    await new Promise((resolve) => server.close(resolve));
    expect(outcome).toMatchObject({ status: 'ok', notes: [{ kind: 'skipped', paths: ['socket'] }] });
    expect(await namesOf(house, 'o.zip')).toEqual(['a']);
  });

  test.each([0, 1, 9])('compresses at level %i', async (level) => {
    await using house = openHouse({ files: { 's/a': 'text '.repeat(10_000), 's/b': 'text '.repeat(100_000) } });
    await zip(house, { dir_we_want_to_zip: 's', zip_name: 'o', level });
    const { value } = (await house.run([['FA_zip_info', ['o.zip']]])).results[0] ?? {};
    expect(value).toMatchObject(
      level === 0 ? [{ compress_size: 50_000 }, { compress_size: 500_000 }] : [{ compress_type: 8 }, { compress_type: 8 }],
    );
  });

  test('encrypts under a password', async () => {
    await using house = openHouse({ files: { 's/a': 'secret text', 's/b': 'b'.repeat(300_000) } });
    await zip(house, { dir_we_want_to_zip: 's', zip_name: 'o', password: 'pass' });
    expect(readFileSync(house.dir.at('o.zip')).includes('secret text')).toBe(false);
    const { results } = await house.run([
      ['FA_unzip_all', { zip_file_path: 'o.zip', extract_path: 'no' }],
      ['FA_unzip_all', { zip_file_path: 'o.zip', extract_path: 'x', password: 'pass' }],
    ]);
    expect(results.map(({ status }) => status)).toEqual(['failed', 'ok']);
    expect(treeOf(house.dir.at('x'))).toEqual(treeOf(house.dir.at('s')));
  });

  test('keeps the old archive when it is cancelled', async () => {
    await using house = openHouse({ files: { 'o.zip': 'old', 's/a': 'a'.repeat(5_000_000) } });
    const before = treeOf(house.dir.path);
    const controller = new AbortController();
    const begun = new Promise<void>((resolve) => house.factotum.progress.onChange(resolve));
    const running = house.run([['FA_zip_dir', { dir_we_want_to_zip: 's', zip_name: 'o', level: 9 }]], { signal: controller.signal });
    await begun;
    controller.abort();
    expect((await running).results[0]?.status).toBe('cancelled');
    expect(treeOf(house.dir.path)).toEqual(before);
  });

  test('foretells what it reads and writes', async () => {
    await using house = openHouse({ files: { 's/a': '1', 's/n/b': '22' } });
    const { results } = await house.run({ actions: [['FA_zip_dir', ['s', 'out/o']]], dry_run: true });
    expect(results[0]?.plan?.effects.map(({ kind, target }) => `${kind} ${target.slice(house.dir.path.length + 1)}`)).toEqual([
      'read s/a',
      'read s/n/b',
      'create out',
      'create out/o.zip',
    ]);
  });
});
