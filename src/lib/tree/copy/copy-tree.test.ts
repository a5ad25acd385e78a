import {
  appendFileSync,
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, test } from 'vitest';
import { leftovers } from '../../../../test/e2e/files/ports.ts';
import { snapshot } from '../../../../test/e2e/sync/snapshot.ts';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import type { Access, Grant } from '../../../core/files.ts';
import type { TreeFault } from '../tree-fault.ts';
import { copyPart } from './copy-part.ts';
import { type CopyOptions, copyTree, dressDirectories } from './copy-tree.ts';

const grantOf = (root: string, access: Access, byHandles = false): Grant => ({
  root,
  access,
  byHandles,
  dry: false,
  counters: new SharedArrayBuffer(16),
});
const { signal } = new AbortController();

const HOW = { isAside: false, exclude: [], keepMetadata: true, isSettled: true, leavesLinks: false, stopsAt: [], most: 10_000, signal };
const copy = (dir: { at(name: string): string }, how: Partial<CopyOptions> = {}, byHandles = false) =>
  copyTree({ source: grantOf(dir.at('s'), 'read', byHandles), target: grantOf(dir.at('t'), 'write', byHandles), ...HOW, ...how });

const deepTree = () => {
  const files = Object.fromEntries(Array.from({ length: 600 }, (_, n) => [`s/${n % 7}/${n % 11}/${n}`, `${n}`.repeat(n)]));
  const dir = tempDir({ ...files, 's/large': Buffer.alloc(3_000_000, 7) });
  symlinkSync('large', dir.at('s/3/link'));
  mkdirSync(dir.at('s/empty/inner'), { recursive: true });
  for (const name of [...Object.keys(files), 's/large']) utimesSync(dir.at(name), 1_600_000_000, 1_600_000_000);
  for (let n = 0; n < 7; n += 1) {
    for (let m = 0; m < 11; m += 1) if (existsSync(dir.at(`s/${n}/${m}`))) utimesSync(dir.at(`s/${n}/${m}`), 1_500_000_000, 1_500_000_000);
    utimesSync(dir.at(`s/${n}`), 1_500_000_000, 1_500_000_000);
  }
  for (const name of ['s/empty/inner', 's/empty', 's']) utimesSync(dir.at(name), 1_500_000_000, 1_500_000_000);
  mkdirSync(dir.at('t'));
  return dir;
};

describe.each([
  ['on one thread', { patienceMs: Number.POSITIVE_INFINITY }],
  ['on all threads', { patienceMs: 0 }],
])('copying %s', (_how, { patienceMs }) => {
  test.each([
    ['by paths', false],
    ['by open directories', true],
  ])('%s gives the same tree, with all looks', async (_by, byHandles) => {
    using dir = deepTree();
    const { copied, bytes, faults, links } = await copy(dir, { patienceMs }, byHandles);
    expect([copied.count, copied.names.length, faults, links]).toEqual([602, 602, [], []]);
    expect(bytes).toBeGreaterThan(3_000_000);
    expect(snapshot(dir.at('t'))).toEqual(snapshot(dir.at('s')));
  });

  test('into a tree that is out of sight writes files straight under their names', async () => {
    using dir = deepTree();
    await copy(dir, { patienceMs, isAside: true });
    expect(snapshot(dir.at('t'))).toEqual(snapshot(dir.at('s')));
  });

  test('stops at once when it is told to, and leaves nothing half', async () => {
    using dir = deepTree();
    const controller = new AbortController();
    const work = copy(dir, { patienceMs, signal: controller.signal });
    controller.abort();
    await expect(work).rejects.toThrow();
    expect(leftovers(dir.at('t'))).toEqual([]);
  });
});

test('a directory shows once all in it is copied', () => {
  using dir = tempDir({ 's/d/a': 'a', 's/d/b': 'b' });
  mkdirSync(dir.at('t'));
  const work = copyPart({ ...HOW, target: grantOf(dir.at('t'), 'write') })(() => false);
  const directory = { relative: 'd/', address: (name?: string) => dir.at(name === undefined ? 's/d' : `s/d/${name}`) };
  work.visitor.begin?.(directory, []);
  work.visitor.entry('a', 'file', directory);
  expect(existsSync(dir.at('t/d'))).toBe(false);
  work.visitor.leave?.(directory);
  expect(readdirSync(dir.at('t/d'))).toEqual(['a']);
  expect(work.end().copied.names).toEqual(['d/a']);
});

test('work that is handed on shows what it has', () => {
  using dir = tempDir({ 's/d/a': 'a' });
  mkdirSync(dir.at('t'));
  const work = copyPart({ ...HOW, target: grantOf(dir.at('t'), 'write') })(() => false);
  const directory = { relative: 'd/', address: (name?: string) => dir.at(name === undefined ? 's/d' : `s/d/${name}`) };
  work.visitor.begin?.(directory, []);
  work.visitor.entry('a', 'file', directory);
  expect(work.end()).toMatchObject({ undressed: ['d/'], copied: { names: ['d/a'] } });
  expect([dir.read('t/d/a'), leftovers(dir.at('t'))]).toEqual(['a', []]);
});

test('a directory whose name was taken meanwhile is told, and its copies do not count', () => {
  using dir = tempDir({ 's/d/a': 'a' });
  mkdirSync(dir.at('t'));
  const work = copyPart({ ...HOW, target: grantOf(dir.at('t'), 'write') })(() => false);
  const directory = { relative: 'd/', address: (name?: string) => dir.at(name === undefined ? 's/d' : `s/d/${name}`) };
  work.visitor.begin?.(directory, []);
  work.visitor.entry('a', 'file', directory);
  dir.write('t/d/other', 'mine');
  work.visitor.leave?.(directory);
  expect(work.end()).toMatchObject({
    bytes: 0,
    copied: { count: 0, names: [] },
    faults: [{ side: 'target', relative: 'd', fault: { fields: { code: 'ETAKEN' } } }],
  });
  expect([readdirSync(dir.at('t/d')), leftovers(dir.at('t'))]).toEqual([['other'], []]);
});

test('a large file that is cut short by a pause begins again elsewhere, and no half of it stays', () => {
  using dir = tempDir({ 's/big': Buffer.alloc(5_000_000, 1) });
  mkdirSync(dir.at('t'));
  const work = copyPart({ ...HOW, target: grantOf(dir.at('t'), 'write') })(() => true);
  const root = { relative: '', address: (name = '') => dir.at(`s/${name}`) };
  expect(work.visitor.entry('big', 'file', root)).toBe('again');
  expect(work.end()).toMatchObject({ copied: { count: 0 }, faults: [] });
  expect(readdirSync(dir.at('t'))).toEqual([]);
});

test('a file that grows while it is read is copied again, and told when that does not end', () => {
  using dir = tempDir({ 's/log': Buffer.alloc(3_000_000, 1) });
  mkdirSync(dir.at('t'));
  let growth = 1;
  const grow = () => {
    if (growth > 0) appendFileSync(dir.at('s/log'), 'more');
    growth -= 1;
    return false;
  };
  const root = { relative: '', address: (name = '') => dir.at(`s/${name}`) };
  const once = copyPart({ ...HOW, target: grantOf(dir.at('t'), 'write') })(grow);
  once.visitor.entry('log', 'file', root);
  expect(once.end()).toMatchObject({ bytes: 3_000_004, faults: [] });
  growth = Number.POSITIVE_INFINITY;
  const always = copyPart({ ...HOW, target: grantOf(dir.at('t'), 'write') })(grow);
  always.visitor.entry('log', 'file', root);
  expect(always.end().faults).toMatchObject([{ side: 'source', relative: 'log', fault: { fields: { code: 'ECHANGED' } } }]);
  expect(leftovers(dir.at('t'))).toEqual([]);
});

test('what has the name already in a directory out of sight stays: there two names are one', () => {
  using dir = tempDir({ 's/d/a': 'first', 's/d/other': 'second' });
  mkdirSync(dir.at('t'));
  const work = copyPart({ ...HOW, target: grantOf(dir.at('t'), 'write') })(() => false);
  // Both names lead to one file at the target, as where upper and lower case are one.
  const directory = { relative: 'd/', address: (name?: string) => dir.at(name === undefined ? 's/d' : `s/d/${name}`) };
  work.visitor.begin?.(directory, []);
  work.visitor.entry('a', 'file', directory);
  work.visitor.entry('a', 'file', { ...directory, address: () => dir.at('s/d/other') });
  expect(work.end()).toMatchObject({ copied: { names: ['d/a'] }, faults: [{ side: 'target', relative: 'd/a' }] });
  expect(dir.read('t/d/a')).toBe('first');
});

test('a file that vanished is counted, one that is in the way is a fault, and the rest is copied', async () => {
  using dir = tempDir({ 's/a': 'a', 's/b': 'b', 't/b/x': 'x' });
  const parts = [{ relative: '', steps: ['a', 'b', 'gone'] }];
  const { copied, vanished, faults } = await copy(dir, { parts });
  expect([copied.names, vanished.names, faults.map(({ side, relative }) => [side, relative])]).toEqual([
    ['a'],
    ['gone'],
    [['target', 'b']],
  ]);
});

test('a directory that vanished while it was copied is no fault, and those behind it get their looks', async () => {
  using dir = tempDir({ 's/longer/x': '', 's/b/y': '', 't/longer/x': '', 't/b/y': '' });
  for (const name of ['s/b', 's']) utimesSync(dir.at(name), 1_500_000_000, 1_500_000_000);
  rmSync(dir.at('s/longer'), { recursive: true });
  for (const byHandles of [false, true]) {
    const faults: TreeFault[] = [];
    dressDirectories(grantOf(dir.at('s'), 'read', byHandles), grantOf(dir.at('t'), 'write', byHandles), {
      undressed: ['', 'b/', 'longer/'],
      faults,
    });
    expect([faults, statSync(dir.at('t/b')).mtimeMs]).toEqual([[], 1_500_000_000_000]);
    utimesSync(dir.at('t/b'), 1, 1);
  }
});

test('every file gets the mode of its source, also one that the process takes from new files', async () => {
  const modes = [0o644, 0o644, 0o666, 0o644, 0o777, 0o400, 0o000, 0o640, 0o604, 0o666];
  const files = modes.flatMap((mode, at) => ['', 'd/', 'e/'].map((directory) => ({ name: `${directory}${at}`, mode })));
  using dir = tempDir(Object.fromEntries(files.map(({ name }) => [`s/${name}`, name])));
  mkdirSync(dir.at('t/e'), { recursive: true });
  for (const { name, mode } of files) chmodSync(dir.at(`s/${name}`), mode);
  const readable = files.filter(({ mode }) => process.getuid?.() === 0 || mode !== 0);
  for (const again of ['new', 'replaced']) {
    await copy(dir);
    const told = readable.map(({ name }) => `${again} ${name} ${(statSync(dir.at(`t/${name}`)).mode & 0o7777).toString(8)}`);
    expect(told).toEqual(readable.map(({ name, mode }) => `${again} ${name} ${mode.toString(8)}`));
  }
});

test("a copy among other files is nobody else's to read until it is whole", () => {
  using dir = tempDir({ 's/big': Buffer.alloc(3_000_000), 't/other': '' });
  chmodSync(dir.at('s/big'), 0o644);
  const work = copyPart({ ...HOW, target: grantOf(dir.at('t'), 'write') })(() => true);
  work.visitor.entry('big', 'file', { relative: '', address: (name = '') => dir.at(`s/${name}`) });
  const [half = ''] = readdirSync(dir.at('t')).filter((name) => name !== 'other');
  expect(statSync(dir.at(`t/${half}`)).mode & 0o777).toBe(0o600);
  work.end();
});

test('without metadata files and directories look new', async () => {
  using dir = tempDir({ 's/d/a': 'a' });
  chmodSync(dir.at('s/d/a'), 0o700);
  utimesSync(dir.at('s/d/a'), 1, 1);
  mkdirSync(dir.at('t'));
  writeFileSync(dir.at('fresh'), '');
  await copy(dir, { keepMetadata: false });
  const [, , copied = ''] = snapshot(dir.at('t'));
  expect(copied).toMatch(/^d\/a = "a" 6[0-9]{2} [0-9]{13}$/);
});

test('no copy is later than its source, so that nobody takes it for newer', async () => {
  const names = Array.from({ length: 400 }, (_, at) => `s/${at % 7}/${at}`);
  using dir = tempDir(Object.fromEntries(names.map((name) => [name, ''])));
  mkdirSync(dir.at('t'));
  const grants = { source: grantOf(dir.at('s'), 'read'), target: grantOf(dir.at('t'), 'write') };
  await copyTree({ ...grants, isAside: false, exclude: [], keepMetadata: true, isSettled: false, leavesLinks: false, stopsAt: [], signal });
  const timeOf = (path: string) => lstatSync(dir.at(path), { bigint: true }).mtimeNs;
  const lags = names.map((name) => timeOf(name) - timeOf(name.replace('s/', 't/')));
  expect(lags.filter((lag) => lag < 0n || lag > 1_000n)).toEqual([]);
});
