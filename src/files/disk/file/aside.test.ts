import { linkSync, mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { failure, openGuarded, openOwner, signal } from '../../../../test/e2e/files/ports.ts';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import { CREATE_FLAGS } from './aside.ts';
import { openFile } from './open-file.ts';

/** What the system was asked to do with names and devices, in order; `after` is called once behind the next rename or link. */
const system = vi.hoisted(() => ({ steps: [] as string[], after: undefined as (() => void) | undefined, isOnOtherDevice: false }));

const struck = vi.hoisted(() => () => {
  const { after } = system;
  system.after = undefined;
  after?.();
});

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  const nameOf = (fd: number) => {
    const path = fs.readlinkSync(`/proc/self/fd/${fd}`);
    return path.endsWith('.part') ? 'the new file' : fs.fstatSync(fd).isDirectory() ? 'its directory' : path;
  };
  const named = (from: string, give: () => void) => {
    give();
    if (!String(from).endsWith('.part')) return;
    system.steps.push('give it its name');
    struck();
  };
  return {
    ...fs,
    fsync: (fd: number, done: (fault: NodeJS.ErrnoException | null) => void) => {
      system.steps.push(`sync ${nameOf(fd)}`);
      fs.fsync(fd, done);
    },
    lstatSync: (path: string, options?: { readonly bigint?: boolean; readonly throwIfNoEntry?: boolean }) => {
      const stats = fs.lstatSync(path, options as { readonly bigint: true }); // whatever is asked for is handed on
      return system.isOnOtherDevice && options?.bigint === true ? Object.assign(stats, { dev: stats.dev + 1n }) : stats;
    },
    renameSync: (from: string, to: string) => named(from, () => fs.renameSync(from, to)),
    linkSync: (from: string, to: string) => named(from, () => fs.linkSync(from, to)),
  };
});

const DURABLY = ['sync the new file', 'give it its name', 'sync its directory'];

beforeEach(() => {
  system.steps = [];
  system.after = undefined;
  system.isOnOtherDevice = false;
});

describe.each([
  ['the owner', openOwner],
  ['a caller with a policy', openGuarded],
])('what %s writes', (_who, open) => {
  test('is on the device before it has its name, and then the name is', async () => {
    using dir = tempDir({ old: 'old', from: 'x' });
    const port = open(dir.path);
    const written = async (work: Promise<unknown>) => {
      system.steps = [];
      await work;
      return system.steps;
    };
    expect(await written(port.write('new', Buffer.from('a'), { signal }))).toEqual(DURABLY);
    expect(await written(port.write('old', Buffer.from('a'), { signal }))).toEqual(DURABLY);
    expect(await written(port.write('only', Buffer.from('a'), { signal, exclusive: true }))).toEqual(DURABLY);
    expect(await written(port.copy('from', 'copy', { signal, keepMetadata: true }))).toEqual(DURABLY);
    await using writer = await port.create('stream', { signal });
    await writer.write(Buffer.from('a'));
    expect(await written(writer.commit())).toEqual(DURABLY);
  });

  test('waits for no device where that is not asked for', async () => {
    using dir = tempDir();
    await open(dir.path).write('new', Buffer.from('a'), { signal, durable: false });
    expect(system.steps).toEqual(['give it its name']);
  });
});

describe('a directory that is swapped', () => {
  const swapIn = (dir: ReturnType<typeof tempDir>) => () => {
    renameSync(dir.at('in/d'), dir.at('in/away'));
    symlinkSync(dir.at('out'), dir.at('in/d'));
  };

  test.each([false, true])('right after the name was given is noticed (exclusive: %s)', async (exclusive) => {
    using dir = tempDir({ 'in/d/x': '' });
    mkdirSync(dir.at('out'));
    system.after = swapIn(dir);
    const port = openGuarded(dir.at('in'));
    expect(await failure(port.write('d/f', Buffer.from('mine'), { signal, exclusive }))).toBe('PathTraversalException');
    expect(dir.read('out/f')).toBeUndefined();
  });

  test('right before that, nothing is given a name', async () => {
    using dir = tempDir({ 'in/d/x': '' });
    mkdirSync(dir.at('out'));
    const port = openGuarded(dir.at('in'), { before: swapIn(dir) });
    expect(await failure(port.write('d/f', Buffer.from('mine'), { signal }))).toBe('PathTraversalException');
    expect([dir.read('out/f'), dir.read('in/away/f')]).toEqual([undefined, undefined]);
    expect(system.steps).not.toContain('give it its name');
  });
});

test('a new file is never one that somebody has put in its place', () => {
  using dir = tempDir({ victim: 'untouched' });
  linkSync(dir.at('victim'), dir.at('file'));
  symlinkSync('victim', dir.at('link'));
  symlinkSync('nowhere', dir.at('dangling'));
  for (const name of ['file', 'link', 'dangling'])
    expect(() => openFile(dir.at(name), CREATE_FLAGS, 0o600), name).toThrow(expect.objectContaining({ code: 'EEXIST' }));
  expect([dir.read('victim'), dir.read('nowhere')]).toEqual(['untouched', undefined]);
});

test('a directory of the same number on another device is another directory', async () => {
  using dir = tempDir({ 'd/x': '' });
  const port = openGuarded(dir.path, {
    before: () => {
      system.isOnOtherDevice = true;
    },
  });
  expect(await failure(port.write('d/f', Buffer.from('mine'), { signal }))).toBe('PathTraversalException');
  expect(dir.read('d/f')).toBeUndefined();
});
