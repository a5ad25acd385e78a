import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { type TempDir, tempDir } from '../../../test/support/temp-dir.ts';
import { createPolicy } from '../../access/policy.ts';
import { createInstance } from '../../app/create.ts';

const factotum = createInstance({ log: { level: 'silent' } });
afterAll(() => factotum.close());

const only = async (action: string, args: object, options: Parameters<typeof factotum.run>[1] = {}) =>
  (await factotum.run([[action, args]], options)).results[0];

const write = (dir: TempDir, args: object = {}) =>
  only('FA_write_manifest', { root: dir.at('d'), manifest_path: dir.at('m.json'), ...args });
const verify = async (dir: TempDir, args: object = {}) =>
  (await only('FA_verify_manifest', { root: dir.at('d'), manifest_path: dir.at('m.json'), ...args }))?.value;

/** The paths in a manifest that was given as a value. */
const listed = (value: unknown): string[] => Object.keys((value as { readonly files: object }).files);

const md5 = (text: string) => createHash('md5').update(text).digest('hex');

/** What is said of a tree where nothing has changed but what is given. */
const said = (changes: object) => ({ matched: [], missing: [], modified: [], extra: [], errors: [], ok: true, ...changes });

describe('FA_write_manifest', () => {
  test('the file holds what the value says, one line for each file in the order of paths', async () => {
    using dir = tempDir({ 'd/b': 'x', 'd/a-b': '', 'd/a/"q".txt': 'abc' });
    symlinkSync('b', dir.at('d/link'));
    const outcome = await write(dir, { algorithm: 'md5' });
    expect(outcome?.value).toEqual({
      version: 1,
      algorithm: 'md5',
      root: dir.at('d'),
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      files: {
        'a-b': { size: 0, checksum: md5('') },
        'a/"q".txt': { size: 3, checksum: md5('abc') },
        b: { size: 1, checksum: md5('x') },
      },
    });
    expect(JSON.parse(dir.read('m.json') ?? '')).toEqual(outcome?.value);
    expect(
      dir
        .read('m.json')
        ?.split('\n')
        .slice(6, 9)
        .map((line) => line.slice(0, 9)),
    ).toEqual(['    "a-b"', '    "a/\\"', '    "b": ']);
  });

  test('a manifest inside the tree leaves itself out, the second time too', async () => {
    using dir = tempDir({ 'd/a': '1' });
    symlinkSync('d', dir.at('way'));
    for (const manifest_path of ['d/m.json', 'd/m.json', 'way/m.json']) {
      const outcome = await write(dir, { manifest_path: dir.at(manifest_path) });
      expect(listed(outcome?.value)).toEqual(['a']);
      expect(await verify(dir, { manifest_path: dir.at(manifest_path) })).toEqual(said({ matched: ['a'] }));
    }
  });

  test('an empty directory has a manifest, a missing one none', async () => {
    using dir = tempDir();
    mkdirSync(dir.at('d'));
    expect(await write(dir)).toMatchObject({ value: { files: {} } });
    expect(await verify(dir)).toEqual(said({}));
    rmSync(dir.at('m.json'));
    expect(await write(dir, { root: dir.at('gone') })).toMatchObject({ error: { type: 'DirNotExistsException' } });
    expect(dir.read('m.json')).toBeUndefined();
  });

  test('an unknown digest and a bad pattern are refused before anything is written', async () => {
    using dir = tempDir({ 'd/a': '1' });
    expect(await write(dir, { algorithm: 'rot13' })).toMatchObject({ error: { type: 'ArgumentException' } });
    expect(await write(dir, { exclude: ['['] })).toMatchObject({ error: { type: 'ArgumentException' } });
    expect(dir.read('m.json')).toBeUndefined();
  });

  test('what is excluded is not listed', async () => {
    using dir = tempDir({ 'd/a': '1', 'd/skip/b': '2', 'd/c.tmp': '3' });
    const outcome = await write(dir, { exclude: ['skip', '*.tmp'] });
    expect(listed(outcome?.value)).toEqual(['a']);
  });

  test('a quota that is too small leaves no manifest', async () => {
    using dir = tempDir({ 'd/a': '1' });
    const { results } = await factotum.run({
      actions: [['FA_write_manifest', { root: dir.at('d'), manifest_path: dir.at('m.json') }]],
      quota: { max_bytes: 50 },
    });
    expect(results[0]).toMatchObject({ error: { type: 'QuotaExceededException' } });
    expect(dir.read('m.json')).toBeUndefined();
  });
});

describe('FA_verify_manifest', () => {
  test('tells what is missing, modified and new', async () => {
    using dir = tempDir({ 'd/a': '1', 'd/b': '2', 'd/c': '3', 'd/n/d': '4' });
    await write(dir);
    rmSync(dir.at('d/n'), { recursive: true });
    dir.write('d/b', '22');
    dir.write('d/c', '4');
    dir.write('d/n2/e', '');
    expect(await verify(dir)).toEqual(said({ matched: ['a'], missing: ['n/d'], modified: ['b', 'c'], extra: ['n2/e'], ok: false }));
  });

  test('a file that became a link or a directory is missing', async () => {
    using dir = tempDir({ 'd/a': '1', 'd/b': '2', 'd/c': '1' });
    await write(dir);
    for (const name of ['a', 'b']) rmSync(dir.at(`d/${name}`));
    symlinkSync('c', dir.at('d/a'));
    mkdirSync(dir.at('d/b'));
    expect(await verify(dir)).toEqual(said({ matched: ['c'], missing: ['a', 'b'], ok: false }));
  });

  test('entries that climb out of the tree are told as errors and never opened', async () => {
    using dir = tempDir({ 'd/a': 'abc', secret: 'abc' });
    const files = Object.fromEntries(
      ['a', '../secret', '/etc/passwd', 'x/../../secret', 'a//b', '.', '\ud800'].map((path) => [path, { size: 3, checksum: md5('abc') }]),
    );
    dir.write('m.json', JSON.stringify({ version: 1, algorithm: 'md5', files }));
    expect(await verify(dir)).toEqual(
      said({
        matched: ['a'],
        errors: ['.', '../secret', '/etc/passwd', 'a//b', 'x/../../secret', '\ud800'].map((path) => [
          path,
          'The entry names nothing inside the tree.',
        ]),
        ok: false,
      }),
    );
  });

  test('times are trusted only where that is asked for and they were written down', async () => {
    using dir = tempDir({ 'd/a': '1' });
    const then = new Date(1_700_000_000_123);
    utimesSync(dir.at('d/a'), then, then);
    const forge = () => {
      writeFileSync(dir.at('d/a'), '2');
      utimesSync(dir.at('d/a'), then, then);
    };
    await write(dir);
    forge();
    expect(await verify(dir, { trust_times: true })).toEqual(said({ modified: ['a'], ok: false }));
    await write(dir, { times: true });
    writeFileSync(dir.at('d/a'), '1');
    expect(await verify(dir, { trust_times: true })).toEqual(said({ modified: ['a'], ok: false }));
    forge();
    writeFileSync(dir.at('d/a'), '3');
    utimesSync(dir.at('d/a'), then, then);
    expect(await verify(dir, { trust_times: true })).toEqual(said({ matched: ['a'] }));
    expect(await verify(dir)).toEqual(said({ modified: ['a'], ok: false }));
  });

  test('a bad subset is refused', async () => {
    using dir = tempDir({ 'd/a': '1' });
    await write(dir);
    const outcome = await only('FA_verify_manifest', { root: dir.at('d'), manifest_path: dir.at('m.json'), subset: '31/30' });
    expect(outcome).toMatchObject({ error: { type: 'ArgumentException' } });
  });

  test('a caller with limits works by handles and only below', async () => {
    using dir = tempDir({ 'd/a': '1', 'd/n/b': '2', 'o/c': '3' });
    symlinkSync('../o', dir.at('d/out'));
    const caller = { name: 'limited', policy: createPolicy({ readWrite: [dir.at('d')] }), remote: true };
    const args = { root: dir.at('d'), manifest_path: dir.at('d/m.json') };
    expect(await only('FA_write_manifest', args, { caller })).toMatchObject({ status: 'ok' });
    expect((await only('FA_verify_manifest', args, { caller }))?.value).toEqual(said({ matched: ['a', 'n/b'] }));
    expect(await only('FA_write_manifest', { ...args, root: dir.at('o') }, { caller })).toMatchObject({
      error: { type: 'PolicyException' },
    });
  });

  test('a cancelled run stops it', async () => {
    using dir = tempDir({ 'd/a': '1' });
    await write(dir);
    const outcome = await only(
      'FA_verify_manifest',
      { root: dir.at('d'), manifest_path: dir.at('m.json') },
      { signal: AbortSignal.abort() },
    );
    expect(outcome).toMatchObject({ status: 'cancelled' });
  });
});

test('a part of a tree that cannot be read is told, though the manifest knows nothing of it', async () => {
  using dir = tempDir({ 'd/a': 'abc' });
  await write(dir, {});
  writeFileSync(Buffer.concat([Buffer.from(dir.at('d/bad')), Buffer.from([0xff])]), '');
  expect(await only('FA_verify_manifest', { root: dir.at('d'), manifest_path: dir.at('m.json') })).toMatchObject({
    value: { matched: ['a'], ok: true },
    notes: [{ kind: 'unreadable', count: 1 }],
  });
});

const names = fc
  .array(fc.constantFrom('a', 'b', 'c.txt', 'é', 'Z', 'a-b', '__proto__'), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join('/'));
const trees = fc.array(fc.tuple(names, fc.constantFrom('', '1', '2', 'abc')), { maxLength: 15 });

const grow = (dir: TempDir, files: readonly [string, string][]): Map<string, string> => {
  rmSync(dir.at('d'), { recursive: true, force: true });
  mkdirSync(dir.at('d'));
  const made = new Map<string, string>();
  for (const [name, content] of files) {
    try {
      mkdirSync(dirname(dir.at(`d/${name}`)), { recursive: true });
      writeFileSync(dir.at(`d/${name}`), content);
      made.set(name, content);
    } catch {
      // a file is where a directory should be, or the other way round
    }
  }
  return made;
};

test('the answer is what comparing two trees by hand gives, and slices put together are the whole', async () => {
  await fc.assert(
    fc.asyncProperty(trees, trees, async (before, after) => {
      using dir = tempDir();
      const was = grow(dir, before);
      await write(dir, { algorithm: 'md5' });
      const is = grow(dir, after);
      const [old, now] = [[...was.keys()].sort(), [...is.keys()].sort()];
      const expected = said({
        matched: old.filter((path) => is.get(path) === was.get(path)),
        missing: old.filter((path) => !is.has(path)),
        modified: old.filter((path) => is.has(path) && is.get(path) !== was.get(path)),
        extra: now.filter((path) => !was.has(path)),
      });
      expected.ok = expected.missing.length + expected.modified.length === 0;
      expect(await verify(dir)).toEqual(expected);
      const slices = [];
      for (const part of [1, 2, 3]) slices.push((await verify(dir, { subset: `${part}/3` })) as typeof expected);
      for (const key of ['matched', 'missing', 'modified', 'extra'] as const)
        expect(slices.flatMap((slice) => slice[key]).sort()).toEqual(expected[key]);
    }),
    { numRuns: 40 },
  );
});
