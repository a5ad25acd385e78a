import { chmodSync, readdirSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { asOrdinaryUser } from '../../../test/support/ordinary-user.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { createInstance } from '../../app/create.ts';

const open = (cwd: string) => createInstance({ cwd, log: { level: 'silent' }, env: { XDG_STATE_HOME: `${cwd}/.state` } });

test('a tree goes to a storage and comes back as it was', async () => {
  using dir = tempDir({ 'in/a.txt': '1', 'in/deep/b.txt': '22', 'in/deep/er/c': '' });
  await using factotum = open(dir.path);
  const { ok, results } = await factotum.run([
    ['FA_copy_between', { source: 'in', target: 'mem://x' }],
    ['FA_copy_between', { source: 'mem://x', target: 'out' }],
  ]);
  expect(ok, JSON.stringify(results)).toBe(true);
  expect(results[0]?.value).toMatchObject({ copied: 3, unchanged: 0, deleted: 0, failed: [], bytes: 3 });
  expect([dir.read('out/a.txt'), dir.read('out/deep/b.txt'), dir.read('out/deep/er/c')]).toEqual(['1', '22', '']);
});

test('the second time nothing is sent', async () => {
  using dir = tempDir({ 'in/a.txt': '1', 'in/deep/b.txt': '22' });
  await using factotum = open(dir.path);
  const sync = ['FA_sync_between', { source: 'in', target: 'mem://x' }] as const;
  const { results } = await factotum.run([sync, sync]);
  expect(results.map(({ value }) => value)).toMatchObject([
    { copied: 2, unchanged: 0 },
    { copied: 0, unchanged: 2, bytes: 0 },
  ]);
});

test('of a file that changed but kept its size, the time tells', async () => {
  using dir = tempDir({ 'in/a.txt': 'one' });
  await using factotum = open(dir.path);
  await factotum.run([['FA_sync_between', ['in', 'mem://x']]]);
  dir.write('in/a.txt', 'two');
  utimesSync(dir.at('in/a.txt'), 1_700_000_000, 1_700_000_000);
  const { results } = await factotum.run([
    ['FA_sync_between', ['in', 'mem://x']],
    ['FA_copy_between', ['mem://x/a.txt', 'back.txt']],
  ]);
  expect(results[0]?.value).toMatchObject({ copied: 1 });
  expect(dir.read('back.txt')).toBe('two');
});

test('a plan tells the same files and changes nothing', async () => {
  using dir = tempDir({
    'in/a.txt': '1',
    'in/b.txt': '22',
    'out/b.txt': 'old',
    'out/gone.txt': 'x',
    'out/kept.txt': 'k',
    'in/kept.txt': 'k',
  });
  for (const name of ['in/kept.txt', 'out/kept.txt']) utimesSync(dir.at(name), 1_700_000_000, 1_700_000_000);
  await using factotum = open(dir.path);
  const list = [['FA_sync_between', { source: 'in', target: 'out', delete: true }]];
  const { results } = await factotum.run({ actions: list, dry_run: true });
  const changes = results[0]?.plan?.effects.filter(({ kind }) => kind !== 'read').map(({ kind, target }) => `${kind} ${target}`);
  expect(changes?.toSorted()).toEqual([
    `create ${dir.at('out/a.txt')}`,
    `delete ${dir.at('out/gone.txt')}`,
    `overwrite ${dir.at('out/b.txt')}`,
  ]);
  expect(readdirSync(dir.at('out')).sort()).toEqual(['b.txt', 'gone.txt', 'kept.txt']);
  expect((await factotum.run(list)).ok).toBe(true);
  expect(readdirSync(dir.at('out')).sort()).toEqual(['a.txt', 'b.txt', 'kept.txt']);
});

test('its own dry run tells and changes nothing', async () => {
  using dir = tempDir({ 'in/a.txt': '1', 'out/a.txt': 'old', 'out/gone.txt': 'x' });
  await using factotum = open(dir.path);
  const { results } = await factotum.run([['FA_sync_between', { source: 'in', target: 'out', delete: true, dry_run: true }]]);
  expect(results[0]?.value).toMatchObject({ copied: 1, deleted: 1 });
  expect([dir.read('out/a.txt'), dir.read('out/gone.txt')]).toEqual(['old', 'x']);
});

test('deleting everything is refused as a mistake', async () => {
  using dir = tempDir({ 'in/other': '1', 'out/a': '1', 'out/b': '1' });
  await using factotum = open(dir.path);
  const { results } = await factotum.run([['FA_sync_between', { source: 'in', target: 'out', delete: true }]]);
  expect(results[0]?.error).toMatchObject({ type: 'CrossBackendException', context: { deletes: 2, keeps: 0 } });
  expect(readdirSync(dir.at('out')).sort()).toEqual(['a', 'b']);
});

test('what cannot be sent does not stop the rest, and fails the command', async () => {
  using dir = tempDir({ 'in/a': '1', 'in/b/c': '2', 'out/b': 'a file in the way' });
  await using factotum = open(dir.path);
  const { results } = await factotum.run([['FA_copy_between', ['in', 'out']]]);
  expect(results[0]).toMatchObject({ status: 'failed', error: { type: 'CrossBackendException' } });
  expect(dir.read('out/a')).toBe('1');
});

test('what cannot be read is left out and told, and then nothing is deleted', async () => {
  using dir = tempDir({ 'in/a': '1', 'in/locked/b': '2', 'in/secret': '3', 'out/kept': 'k', 'in/kept': 'k', 'out/old': 'o' });
  for (const name of ['in/locked', 'in/secret']) chmodSync(dir.at(name), 0o000);
  await using factotum = open(dir.path);
  const { results } = await asOrdinaryUser(dir.path, () =>
    factotum.run([['FA_sync_between', { source: 'in', target: 'out', delete: true }]]),
  );
  expect(results[0]).toMatchObject({
    status: 'failed',
    error: { type: 'CrossBackendException', context: { summary: { failed_count: 2 } } },
  });
  expect([dir.read('out/a'), dir.read('out/old')]).toEqual(['1', 'o']);
});

test('a source that is not there is told by its name', async () => {
  using dir = tempDir();
  await using factotum = open(dir.path);
  const { results } = await factotum.run([
    ['FA_copy_between', ['nowhere', 'mem://a']],
    ['FA_sync_between', ['mem://nowhere', 'out']],
  ]);
  expect(results.map(({ error }) => error?.context?.code)).toEqual(['not_found', 'not_found']);
});

test('after a synchronisation both sides are the same, whatever they were', async () => {
  const tree = fc.dictionary(fc.constantFrom('a', 'b', 'c/d', 'c/e', 'f/g/h'), fc.string({ maxLength: 3 }), { noNullPrototype: true });
  await fc.assert(
    fc.asyncProperty(tree, tree, async (source, target) => {
      const files = [...Object.entries(source).map(([path, text]) => [`in/${path}`, text]), ['in/kept', ''], ['out/kept', '']];
      using dir = tempDir(Object.fromEntries([...files, ...Object.entries(target).map(([path, text]) => [`out/${path}`, text])]));
      await using factotum = open(dir.path);
      const { ok } = await factotum.run([
        ['FA_sync_between', { source: 'in', target: 'out', delete: true, compare: 'checksum' }],
        ['FA_diff_dirs', { left: 'in', right: 'out' }],
      ]);
      expect(ok).toBe(true);
      for (const [path, text] of Object.entries(source)) expect(dir.read(`out/${path}`)).toBe(text);
      for (const path of Object.keys(target)) if (!(path in source)) expect(dir.read(`out/${path}`)).toBeUndefined();
    }),
    { numRuns: 15 },
  );
});

test('many files at once warn of nothing', async () => {
  using dir = tempDir(Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`in/${at}`, 'x'])));
  const warned: string[] = [];
  const warn = ({ name }: Error) => void warned.push(name);
  process.on('warning', warn);
  await using factotum = open(dir.path);
  const { ok } = await factotum.run([['FA_copy_between', { source: 'in', target: 'out', max_workers: 32 }]]);
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', warn);
  expect([ok, warned]).toEqual([true, []]);
});

test.each([
  ['in', 'in/copy'],
  ['in/new', 'in'],
  ['in', 'in'],
])('%s into %s is refused: one holds the other', async (source, target) => {
  using dir = tempDir({ 'in/a': '1', 'in/new/b': '2' });
  await using factotum = open(dir.path);
  for (const name of ['FA_copy_between', 'FA_sync_between']) {
    const { results } = await factotum.run([[name, { source, target, ...(name === 'FA_sync_between' && { delete: true }) }]]);
    expect(results[0]?.error?.message).toContain('lie inside each other');
  }
  expect([dir.read('in/a'), dir.read('in/new/b')]).toEqual(['1', '2']);
});

test('a file that became a link is not deleted from the mirror', async () => {
  using dir = tempDir({ 'in/v': 'v', 'in/w': 'w', elsewhere: 'v' });
  await using factotum = open(dir.path);
  const sync = ['FA_sync_between', { source: 'in', target: 'mem://x', delete: true }];
  await factotum.run([sync]);
  rmSync(dir.at('in/v'));
  symlinkSync('../elsewhere', dir.at('in/v'));
  const { results } = await factotum.run([sync]);
  expect(results[0]?.value).toMatchObject({ deleted: 0, unchanged: 1 });
});

test('nothing is written or deleted through a link at the target', async () => {
  using dir = tempDir({ 'in/d/p': 'new', 'in/k': 'k', 'out/k': 'k', 'precious/p': 'old', 'precious/q': 'old' });
  symlinkSync('../precious', dir.at('out/d'));
  await using factotum = open(dir.path);
  const { results } = await factotum.run([['FA_sync_between', { source: 'in', target: 'out', delete: true }]]);
  expect(results[0]).toMatchObject({ status: 'failed', error: { message: expect.stringContaining('leads through a link') } });
  expect([dir.read('precious/p'), dir.read('precious/q')]).toEqual(['old', 'old']);
});

test('a name with a control character is sent nowhere, and then nothing is deleted', async () => {
  using dir = tempDir({ 'in/a\tb': '1', 'in/k': 'k', 'out/k': 'k', 'out/old': 'o' });
  await using factotum = open(dir.path);
  const { results } = await factotum.run([['FA_sync_between', { source: 'in', target: 'out', delete: true }]]);
  expect(results[0]).toMatchObject({ status: 'failed', error: { context: { code: 'bad_name' } } });
  expect(readdirSync(dir.at('out')).sort()).toEqual(['k', 'old']);
});
