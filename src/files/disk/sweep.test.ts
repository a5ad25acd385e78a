import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, linkSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openOwner, signal } from '../../../test/e2e/files/ports.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { newPartName, readOwner, startTicksOf } from '../../lib/fs/part-name.ts';
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
  test('goes after an hour, not before', async () => {
    const name = nameOf({ pid: deadPid() });
    using dir = tempDir({ [name]: 'half', 'report.txt': 'whole' });
    await sweepDirectory(dir.path, later(HOUR_MS - 60_000));
    expect(dir.read(name)).toBe('half');
    await sweepDirectory(dir.path, later(HOUR_MS + 60_000));
    expect(readdirSync(dir.path)).toEqual(['report.txt']);
  });

  test('goes when its number now belongs to another process, or the machine was started again', async () => {
    using dir = tempDir({ [nameOf({ ticks: ticks + 1 })]: '', [nameOf({ boot: '00000000' })]: '' });
    await sweepDirectory(dir.path, later(2 * HOUR_MS));
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
