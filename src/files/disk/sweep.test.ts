import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, linkSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openOwner, signal } from '../../../test/e2e/files/ports.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { newPartName, readOwner, startTicksOf } from '../../lib/fs/part-name.ts';
import { openWriteRecords, type WrittenPlace } from './leftovers/write-records.ts';
import { createSweeper, sweepDirectory } from './sweep.ts';

const HOUR_MS = 3_600_000;
/** Time cannot be set back on the disk (the system stamps each change), so the sweeper's clock is put forward. */
const later = (ms: number) => ({ now: Date.now() + ms });

const { home, boot, pid, ticks } = readOwner();
const random = 'f'.repeat(32);
const nameOf = (owner: Partial<ReturnType<typeof readOwner>>) => {
  const all = { home, boot, pid, ticks, ...owner };
  return `.factotum-${all.home}-${all.boot}-${all.pid}-${all.ticks}-${random}.part`;
};
const deadPid = () => spawnSync('true').pid;

describe('what a dead process left behind', () => {
  test('goes at once, also when its number now belongs to another process', async () => {
    using dir = tempDir({ [nameOf({ pid: deadPid() })]: 'half', [nameOf({ ticks: ticks + 1 })]: '', 'report.txt': 'whole' });
    expect(await sweepDirectory(dir.path)).toBe(2);
    expect(readdirSync(dir.path)).toEqual(['report.txt']);
  });

  test('goes after an hour, not before, when the machine was started since: it may be another one that is called the same', async () => {
    const name = nameOf({ boot: '00000000' });
    using dir = tempDir({ [name]: 'half' });
    await sweepDirectory(dir.path, later(HOUR_MS - 60_000));
    expect(dir.read(name)).toBe('half');
    await sweepDirectory(dir.path, later(HOUR_MS + 60_000));
    expect(readdirSync(dir.path)).toEqual([]);
  });

  test('goes as a whole tree, whatever its modes, and no link in it is entered', async () => {
    const name = nameOf({ pid: deadPid() });
    using dir = tempDir({ [`${name}/locked/f`]: '', 'keep/f': 'kept' });
    symlinkSync('../keep', dir.at(`${name}/l`));
    chmodSync(dir.at(`${name}/locked`), 0o000);
    await sweepDirectory(dir.path, later(2 * HOUR_MS));
    expect([existsSync(dir.at(name)), dir.read('keep/f')]).toEqual([false, 'kept']);
  });

  test('goes as the second name of a finished file, which stays', async () => {
    using dir = tempDir({ f: 'whole' });
    linkSync(dir.at('f'), dir.at(nameOf({ pid: deadPid() })));
    await sweepDirectory(dir.path, later(2 * HOUR_MS));
    expect([readdirSync(dir.path), dir.read('f')]).toEqual([['f'], 'whole']);
  });
});

describe('what stays', () => {
  test.each([
    ['of a living process', nameOf({})],
    ['of a process that cannot be asked', nameOf({ home: '00000000', pid: 1 })],
    ['under other names', '.factotum-0123456789abcdef0123456789abcdef.part'],
    ['under names that only look alike', `${nameOf({ boot: '00000000' })}.txt`],
  ])('is what there is %s', async (_, name) => {
    using dir = tempDir({ [name]: 'kept' });
    await sweepDirectory(dir.path, later(48 * HOUR_MS));
    expect(dir.read(name)).toBe('kept');
  });

  test('is what another living process writes', async () => {
    const child = spawn('sleep', ['60']);
    await once(child, 'spawn');
    const name = nameOf({ pid: child.pid ?? 0, ticks: startTicksOf(child.pid ?? 0) ?? 0 });
    using dir = tempDir({ [name]: 'growing' });
    await sweepDirectory(dir.path, later(48 * HOUR_MS));
    expect(dir.read(name)).toBe('growing');
    child.kill('SIGKILL');
    await once(child, 'exit');
    await sweepDirectory(dir.path, later(48 * HOUR_MS));
    expect(dir.read(name)).toBeUndefined();
  });

  test.skipIf(process.getuid?.() !== 0)("is what belongs to other users (needs root to have another's file)", async () => {
    const name = nameOf({ pid: deadPid() });
    using dir = tempDir({ [name]: '' });
    spawnSync('chown', ['1234', dir.at(name)]);
    await sweepDirectory(dir.path, later(48 * HOUR_MS));
    expect(existsSync(dir.at(name))).toBe(true);
  });
});

test('after a week even what cannot be asked after is left over', async () => {
  using dir = tempDir({ [nameOf({ home: '00000000', pid: 1 })]: '' });
  await sweepDirectory(dir.path, later(8 * 24 * HOUR_MS));
  expect(readdirSync(dir.path)).toEqual([]);
});

describe('a sweeper', () => {
  test('visits each directory once, some time after the first write into it', async () => {
    using dir = tempDir({ 'd/x': '' });
    const visited: string[] = [];
    const { promise, resolve } = deferred();
    const sweep = async (directory: string) => {
      visited.push(directory);
      if (visited.length === 2) resolve();
      throw new Error('housekeeping fails'); // and nobody is hurt
    };
    const port = openOwner(dir.path, { sweeper: createSweeper({ delayMs: 0, sweep }) });
    for (const name of ['a', 'b', 'd/c']) await port.write(name, Buffer.from(''), { signal });
    await port.copyTree('d', 'e', { signal, keepMetadata: false });
    await promise;
    await port.write('z', Buffer.from(''), { signal });
    expect(visited).toEqual([dir.path, dir.at('d')]);
  });

  test('finds its few names among many at little cost', async () => {
    using dir = tempDir({ [nameOf({ pid: deadPid() })]: '' });
    for (let at = 0; at < 20_000; at += 1) writeFileSync(join(dir.path, `${at}`), '');
    const before = process.cpuUsage();
    await sweepDirectory(dir.path, later(2 * HOUR_MS));
    const { user, system } = process.cpuUsage(before);
    expect(readdirSync(dir.path)).toHaveLength(20_000);
    expect((user + system) / 20_000).toBeLessThan(50); // microseconds per name
  });
});

describe('what a killed process has written down', () => {
  const room = (places: readonly WrittenPlace[], files: Readonly<Record<string, string>>) => {
    const dir = tempDir(files);
    const forgotten: number[] = [];
    const noted: WrittenPlace[] = [];
    const at = places.map(({ directory, isTree }) => ({ directory: dir.at(directory), isTree }));
    const records = {
      note: (place: WrittenPlace) => void noted.push(place),
      left: () => [{ places: at, forget: () => void forgotten.push(1) }],
    };
    return { dir, noted, forgotten, sweeper: createSweeper({ delayMs: 1e6, records }), [Symbol.dispose]: dir[Symbol.dispose] };
  };
  const dead = nameOf({ pid: deadPid() });

  test('is swept by the next writer there, and forgotten once all of it is', async () => {
    using at = room(
      [
        { directory: 'a', isTree: false },
        { directory: 'b', isTree: false },
      ],
      { [`a/${dead}`]: '', [`b/${dead}`]: '', 'c/x': '' },
    );
    const port = openOwner(at.dir.path, { sweeper: at.sweeper });
    await port.write('c/new', Buffer.from(''), { signal });
    await port.write('a/new', Buffer.from(''), { signal });
    await at.sweeper.settled();
    expect([readdirSync(at.dir.at('a')), readdirSync(at.dir.at('b')), at.forgotten]).toEqual([['new'], [dead], []]);
    await port.write('b/new', Buffer.from(''), { signal });
    await at.sweeper.settled();
    expect([readdirSync(at.dir.at('b')), at.forgotten]).toEqual([['new'], [1]]);
    expect(at.noted.map(({ directory }) => directory)).toEqual(['c', 'a', 'b'].map(at.dir.at));
  });

  test.each([
    ['t', true, 't/deep/er', false],
    ['t/deep/er', false, 't', true],
    ['t', true, 't', true],
  ])('of %s (a tree: %s) is swept when something is written to %s (a tree: %s)', async (directory, isTree, written, isWrittenTree) => {
    using at = room([{ directory, isTree }], { [`t/deep/er/${dead}/x`]: '', 't/y': '' });
    at.sweeper.touched(at.dir.at(written), { isTree: isWrittenTree });
    await at.sweeper.settled();
    expect([readdirSync(at.dir.at('t/deep/er')), at.dir.read('t/y'), at.forgotten]).toEqual([[], '', [1]]);
  });

  test('is swept as a whole where somebody asks for it, and what is gone is no fault', async () => {
    using at = room(
      [
        { directory: 'a', isTree: true },
        { directory: 'gone', isTree: false },
      ],
      { [`a/b/${dead}`]: '', 'a/c': '' },
    );
    expect(await at.sweeper.sweepAll()).toBe(1);
    expect([readdirSync(at.dir.at('a'), { recursive: true }).sort(), at.forgotten]).toEqual([['b', 'c'], [1]]);
  });

  test('lies in a file that says so line by line, half a line counts as none, and that of the living is left alone', () => {
    using dir = tempDir();
    mkdirSync(dir.at('records'), { mode: 0o700 });
    const open = () => openWriteRecords(() => [dir.at('records')]);
    open().note({ directory: '/a "b"\n', isTree: true });
    expect(open().left()).toEqual([]);
    const [name = ''] = readdirSync(dir.at('records'));
    writeFileSync(dir.at(`records/${dead}`), `${dir.read(`records/${name}`)}["/half`);
    const [left, ...more] = open().left();
    expect([left?.places, more]).toEqual([[{ directory: '/a "b"\n', isTree: true }], []]);
    left?.forget();
    expect(readdirSync(dir.at('records'))).toEqual([name]);
  });

  test('counts only where nobody else can write it', () => {
    using dir = tempDir({ [`records/${dead}`]: '["/a",false]\n' });
    const left = () => openWriteRecords(() => [dir.at('records')]).left().length;
    chmodSync(dir.at('records'), 0o777);
    expect(left()).toBe(0);
    chmodSync(dir.at('records'), 0o700);
    expect(left()).toBe(1);
  });

  test.each([
    ['nothing', ''],
    ['half a place', '["/ha'],
  ])('is forgotten at the next write where it holds %s: whoever made it was killed before it began', async (_, text) => {
    using dir = tempDir({ [`records/${nameOf({ pid: deadPid() })}`]: text });
    mkdirSync(dir.at('w'));
    chmodSync(dir.at('records'), 0o700);
    const { left } = openWriteRecords(() => [dir.at('records')]);
    const sweeper = createSweeper({ delayMs: 1e6, records: { note() {}, left } });
    sweeper.touched(dir.at('w'));
    await sweeper.settled();
    expect(readdirSync(dir.at('records'))).toEqual([]);
  });
});

test('the names that the port gives are those that the sweeper knows', async () => {
  using dir = tempDir();
  await using writer = await openOwner(dir.path).create('f', { signal });
  await writer.write(Buffer.from('x'));
  const [name = ''] = readdirSync(dir.path);
  expect(basename(name).length).toBe(newPartName().length);
  mkdirSync(dir.at('other'));
  utimesSync(dir.at(name), 0, 0);
  await sweepDirectory(dir.path, later(48 * HOUR_MS));
  expect(existsSync(dir.at(name))).toBe(true); // we are alive
});

const deferred = () => {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
};
