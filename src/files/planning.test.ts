import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { failure, openGuarded, openOwner, otherDevice, signal } from '../../test/e2e/files/ports.ts';
import { snapshot } from '../../test/laws/disk.ts';
import { type TempDir, tempDir } from '../../test/support/temp-dir.ts';
import { createPolicy } from '../access/policy.ts';
import type { FilePort } from '../core/files.ts';
import { createForesight, type Foresight, NotYetKnown } from '../core/planning.ts';
import { openBudget } from '../core/quota.ts';
import { createPlanningFiles } from './planning.ts';

const KEEP = { signal, keepMetadata: true };
const bytes = (text: string) => Buffer.from(text);

interface PlanOptions {
  readonly maxBytes?: number;
  readonly foresight?: Foresight;
}

const openPlan = (cwd: string, { maxBytes = 0, foresight = createForesight() }: PlanOptions = {}): FilePort =>
  createPlanningFiles({ real: openOwner(cwd), foresight, policy: undefined, budget: openBudget(maxBytes, undefined), now: () => 1_000 });

/** The effects of a call, targets relative to the directory. */
const effectsOf = async (dir: TempDir, call: (port: FilePort) => Promise<unknown>) => {
  const foresight = createForesight();
  const port = openPlan(dir.path, { foresight });
  const end = foresight.begin();
  await call(port);
  return end().map(({ kind, target, bytes: count }) =>
    [kind, target.replace(`${dir.path}/`, ''), ...(count === undefined ? [] : [count])].join(' '),
  );
};

describe('a dry run', () => {
  test('never changes the disk, whatever is planned, through links too', async () => {
    using dir = tempDir({ 'd/f': 'text', g: 'more' });
    symlinkSync('d/f', dir.at('l'));
    symlinkSync('d', dir.at('ld'));
    const before = snapshot(dir.path);
    const port = openPlan(dir.path);
    await port.write('l', bytes('new'), { signal });
    await port.write('ld/n', bytes('new'), { signal });
    await port.copyTree('ld', 'd2', KEEP);
    await port.move('ld/f', 'moved', { signal });
    await port.setMode('g', 0o600);
    await port.setTimes('ld', { mtimeMs: 5 });
    await port.makeLink('ld/m', 'n');
    await port.makeDir('ld/a/b', { parents: true });
    await port.remove('l');
    await port.removeTree('d', { signal });
    expect(snapshot(dir.path)).toEqual(before);
  });

  test('foretells nothing where nothing is put behind a file that is there', async () => {
    using dir = tempDir({ f: 'old' });
    const append = (at: string) => (port: FilePort) => port.append(at, () => ({ record: bytes('') }), { signal });
    expect(await effectsOf(dir, append('f'))).toEqual([]);
    expect(await effectsOf(dir, append('new'))).toEqual(['create new 0']);
  });

  test('knows what an edit leaves when it leaves nothing', async () => {
    using dir = tempDir({ f: 'old' });
    const port = openPlan(dir.path);
    await port.edit('f', async () => ({ value: undefined, isChanged: true }), { signal });
    expect(String(await port.read('f'))).toBe('');
  });

  test('sees what earlier commands would have done', async () => {
    using dir = tempDir({ f: 'old', 'd/x': '1', 'd/e/y': '2' });
    const port = openPlan(dir.path);
    await port.write('f', bytes('new'), { signal });
    await port.write('f', bytes('newer'), { signal });
    expect([String(await port.read('f')), (await port.stat('f'))?.size]).toEqual(['newer', 5]);
    await port.move('d', 'm', { signal });
    expect([await port.list('m'), await port.stat('d'), String(await port.read('m/e/y'))]).toEqual([
      [
        { name: 'e', kind: 'dir' },
        { name: 'x', kind: 'file' },
      ],
      undefined,
      '2',
    ]);
    await port.copyTree('m', 'c', KEEP);
    await port.remove('c/x');
    await port.write('c/e/z', bytes('3'), { signal });
    await port.copyTree('c', 'c2', KEEP);
    expect([await port.list('c2'), String(await port.read('c2/e/y')), String(await port.read('c2/e/z'))]).toEqual([
      [{ name: 'e', kind: 'dir' }],
      '2',
      '3',
    ]);
    await port.removeTree('c2', { signal });
    expect(await port.stat('c2/e/z')).toBeUndefined();
  });

  test('follows planned links, and links that moved along with their directory', async () => {
    using dir = tempDir({ 'd/in/f': 'inner', f: 'outer' });
    symlinkSync('../f', dir.at('d/l'));
    const port = openPlan(dir.path);
    await port.makeLink('planned', 'd/in');
    await port.write('planned/f', bytes('written'), { signal });
    expect(String(await port.read('d/in/f'))).toBe('written');
    await port.makeDir('deep');
    await port.move('d', 'deep/d', { signal });
    expect(await port.stat('deep/d/l')).toBeUndefined(); // `../f` leads nowhere from there
    await port.write('deep/f', bytes('found'), { signal });
    expect([String(await port.read('deep/d/l')), await port.readLink('deep/d/l')]).toEqual(['found', '../f']);
  });

  test('tells all effects, each once', async () => {
    using dir = tempDir({ f: '12345', 's/a': '1', 's/d/b': '22', 't/a': 'old' });
    expect(await effectsOf(dir, (port) => port.write('new', bytes('123'), { signal }))).toEqual(['create new 3']);
    expect(await effectsOf(dir, (port) => port.copy('f', 't/a', KEEP))).toEqual(['read f 5', 'overwrite t/a 5']);
    expect(await effectsOf(dir, (port) => port.move('f', 'g', { signal }))).toEqual(['delete f 5', 'create g 5']);
    expect(await effectsOf(dir, (port) => port.move('s', 'u', { signal }))).toEqual(['delete s', 'create u']);
    expect(await effectsOf(dir, (port) => port.makeDir('a/b', { parents: true }))).toEqual(['create a', 'create a/b']);
    expect(await effectsOf(dir, (port) => port.removeTree('s', { signal }))).toEqual([
      'delete s/a 1',
      'delete s/d/b 2',
      'delete s/d',
      'delete s',
    ]);
    expect(await effectsOf(dir, (port) => port.copyTree('s', 't', KEEP))).toEqual([
      'read s/a 1',
      'overwrite t/a 1',
      'create t/d',
      'read s/d/b 2',
      'create t/d/b 2',
    ]);
  });

  test('adds up what one command does to one path', async () => {
    using dir = tempDir({ a: '1', b: '22' });
    const swap = async (port: FilePort) => {
      await port.move('a', 'detour', { signal });
      await port.move('b', 'a', { signal });
      await port.move('detour', 'b', { signal });
    };
    expect((await effectsOf(dir, swap)).sort()).toEqual(['overwrite a 2', 'overwrite b 1']);
    const build = async (port: FilePort) => {
      await port.write('new', bytes('1'), { signal });
      await port.setMode('new', 0o600);
      await port.write('new', bytes('22'), { signal });
    };
    expect(await effectsOf(dir, build)).toEqual(['create new 2']);
  });

  test('remembers contents up to 1 MiB and knows when it does not know', async () => {
    using dir = tempDir();
    const port = openPlan(dir.path);
    await port.write('small', Buffer.alloc(1024 * 1024, 's'), { signal });
    await port.write('large', Buffer.alloc(1024 * 1024 + 1), { signal });
    expect(await port.read('small', { offset: 5, limit: 2 })).toEqual(bytes('ss'));
    await expect(port.read('large')).rejects.toThrow(NotYetKnown);
    await expect(port.open('large')).rejects.toThrow(NotYetKnown);
    expect((await port.stat('large'))?.size).toBe(1024 * 1024 + 1);
    for (const expectedBytes of [undefined, 7]) {
      await using writer = await port.create(`told ${expectedBytes}`, { signal, ...(expectedBytes !== undefined && { expectedBytes }) });
      await writer.commit();
    }
    const unknown = await port.stat('told undefined');
    expect(() => unknown?.size).toThrow(NotYetKnown);
    expect((await port.stat('told 7'))?.size).toBe(7);
    await port.copy('told undefined', 'copy', KEEP);
    await port.move('copy', 'moved', { signal });
    await port.remove('moved');
    await expect(port.read('told 7')).rejects.toThrow(NotYetKnown);
  });

  test('remembers what a writer wrote, in any order, and forgets what was not committed', async () => {
    using dir = tempDir();
    const port = openPlan(dir.path);
    const chunk = bytes('bb');
    {
      await using writer = await port.create('f', { signal });
      await writer.writeAt(chunk, 2);
      chunk.fill('x'); // the caller's buffer is the caller's
      await writer.writeAt(bytes('aa'), 0);
      await writer.write(bytes('c'));
      await writer.commit();
    }
    {
      await using writer = await port.create('g', { signal });
      await writer.write(bytes('never'));
    }
    await using reader = await port.open('f');
    const chunks: string[] = [];
    for await (const each of reader.stream({ start: 1, chunkBytes: 2 })) chunks.push(String(each));
    const into = Buffer.alloc(9);
    expect([chunks, await reader.readAt(into, 3), await port.stat('g')]).toEqual([['ab', 'bc'], 2, undefined]);
  });

  test('spends a budget as the real run would', async () => {
    using dir = tempDir({ f: 'x'.repeat(40), 's/a': 'x'.repeat(40), 's/b': 'x'.repeat(40) });
    expect(await failure(openPlan(dir.path, { maxBytes: 39 }).copy('f', 'g', KEEP))).toBe('QuotaExceededException');
    const port = openPlan(dir.path, { maxBytes: 70 });
    expect(await failure(port.copyTree('s', 't', KEEP))).toBe('QuotaExceededException');
    expect(await port.stat('t')).toBeUndefined();
    await port.move('s', 't', { signal });
    await using writer = await port.create('w', { signal });
    expect(await failure(writer.write(Buffer.alloc(50)))).toBe('QuotaExceededException');
  });

  test('of a nested list with a budget of its own goes on where the list around it was', async () => {
    using dir = tempDir();
    const foresight = createForesight();
    await openPlan(dir.path, { foresight }).write('f', bytes('1'), { signal });
    const nested = openPlan(dir.path, { foresight, maxBytes: 10 });
    expect(String(await nested.read('f'))).toBe('1');
  });

  test('refuses as the policy would, also where only planned links lead', async () => {
    using dir = tempDir({ 'root/d/f': '', 'root/ro/f': '', 'outside/f': '' });
    const policy = createPolicy({ readWrite: [dir.at('root')], readOnly: [dir.at('root/ro')] });
    const real = openGuarded(dir.at('root'), { readOnly: [dir.at('root/ro')] });
    const port = createPlanningFiles({ real, foresight: createForesight(), policy, budget: undefined, now: Date.now });
    expect(await failure(port.write('../outside/g', bytes(''), { signal }))).toBe('PolicyException');
    expect(await failure(port.write('ro/g', bytes(''), { signal }))).toBe('PolicyException');
    expect(await failure(port.makeLink('l', '../outside'))).toBe('PolicyException');
    await port.makeLink('l', 'ro');
    expect(await failure(port.write('l/g', bytes(''), { signal }))).toBe('PolicyException');
    expect(await failure(port.removeTree('.', { signal }))).toBe('PathTraversalException');
    expect(await failure(port.move('d', 'ro/d', { signal }))).toBe('PolicyException');
  });

  test('grants bulk work only where the disk still tells the truth', async () => {
    using dir = tempDir({ 'a/f': '', 'b/f': '' });
    const port = openPlan(dir.path);
    await port.write('a/g', bytes(''), { signal });
    await port.move('b', 'c', { signal });
    await port.makeDir('new');
    expect(await failure(port.grant('b', 'read'))).toBe('DirNotExistsException');
    for (const root of ['a', 'c', 'new', '.']) await expect(port.grant(root, 'read')).rejects.toThrow(NotYetKnown);
    mkdirSync(dir.at('untouched'));
    expect(await port.grant('untouched', 'write')).toMatchObject({ root: dir.at('untouched'), dry: true, access: 'write' });
  });

  test('is cancelled like a real run', async () => {
    using dir = tempDir({ 'd/f': '' });
    const port = openPlan(dir.path);
    const stopped = { signal: AbortSignal.abort() };
    expect(await failure(port.write('f', bytes(''), stopped))).toBe('CancelledException');
    expect(await failure(port.removeTree('d', stopped))).toBe('CancelledException');
    expect(await failure(port.copyTree('d', 'e', { ...stopped, keepMetadata: false }))).toBe('CancelledException');
    expect(await failure(port.move('d', 'e', stopped))).toBe('CancelledException');
  });
});

using probe = otherDevice();
test.skipIf(probe === undefined)('a planned move to another device spends what it would copy (needs /dev/shm on one)', async () => {
  using dir = tempDir({ 'd/f': 'x'.repeat(40) });
  using there = otherDevice();
  const target = join(there?.path ?? '', 'd');
  expect(await failure(openPlan(dir.path, { maxBytes: 39 }).move('d', target, { signal }))).toBe('QuotaExceededException');
  linkSync(dir.at('d/f'), dir.at('d/g'));
  execFileSync('mkfifo', [dir.at('d/pipe')]);
  expect(await failure(openPlan(dir.path, { maxBytes: 40 }).move('d', target, { signal }))).toEqual({ value: undefined });
  expect(await failure(openPlan(dir.path, { maxBytes: 1 }).move('d', 'e', { signal }))).toEqual({ value: undefined });
  expect(await failure(openOwner(dir.path, { budget: openBudget(40, undefined) }).move('d', target, { signal }))).toEqual({
    value: undefined,
  });
});
