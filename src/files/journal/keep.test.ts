import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { tempDir } from '../../../test/support/temp-dir.ts';
import type { Change } from '../../core/journal.ts';
import { UNDO_REASONS } from '../../core/undo-reasons.ts';
import { keptAsideName } from '../../lib/fs/own-names.ts';
import { entryOf } from '../entry.ts';
import { createKeeper } from './keep.ts';

/** Whether a file system gives files second names, and has a place of ours. */
const system = vi.hoisted(() => ({ isLinkRefused: false, isHomeless: false, isFull: false }));

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  const linkSync = (from: string, to: string) => {
    if (system.isLinkRefused) throw Object.assign(new Error('EPERM'), { code: 'EPERM' });
    fs.linkSync(from, to);
  };
  return { ...fs, linkSync };
});

vi.mock('./homes.ts', async (original) => {
  const homes = await original<typeof import('./homes.ts')>();
  const findHome: typeof homes.findHome = (...place) => (system.isHomeless ? undefined : homes.findHome(...place));
  return { ...homes, findHome };
});

vi.mock('node:fs/promises', async (original) => {
  const fs = await original<typeof import('node:fs/promises')>();
  const utimes: typeof fs.utimes = async (...given) => {
    if (system.isFull) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
    await fs.utimes(...given);
  };
  return { ...fs, utimes };
});

beforeEach(() => {
  system.isFull = false;
  system.isHomeless = false;
  system.isLinkRefused = false;
});

const room = (maxBytes = 1_000) => {
  const dir = tempDir({ a: 'first', b: 'second' });
  const keeper = createKeeper({ runId: 'run', stateDirectory: dir.at('state'), limits: { maxBytes, maxFiles: 1e6 } });
  return { dir, keeper, seen: entryOf(dir.at('a'), lstatSync(dir.at('a'))), [Symbol.dispose]: () => dir[Symbol.dispose]() };
};

test('of two that replace a file at once, the second keeps what the first has put there', async () => {
  using at = room();
  renameSync(at.dir.at('b'), at.dir.at('a'));
  const kept = await at.keeper.keep(at.seen, 1);
  expect(typeof kept === 'object' && readFileSync(kept.at, 'utf8')).toBe('second');
  expect(kept).toMatchObject({ identity: entryOf(at.dir.at('a'), lstatSync(at.dir.at('a'))).identity });
});

test('what has become a link meanwhile is refused, and nothing is kept', async () => {
  using at = room();
  rmSync(at.dir.at('a'));
  symlinkSync('b', at.dir.at('a'));
  await expect(at.keeper.keep(at.seen, 1)).rejects.toMatchObject({ type: 'PathTraversalException' });
  expect(readdirSync(at.dir.at(`state/${keptAsideName(at.dir.at('state'))}/run`))).toEqual([]);
});

test('what is taken away meanwhile is no fault of the keeper', async () => {
  using at = room();
  writeFileSync(at.dir.at('c'), '');
  rmSync(at.dir.at('a'));
  await expect(at.keeper.keep(at.seen, 1)).rejects.toMatchObject({ code: 'ENOENT' });
});

test('where there is no place of ours, nothing is kept, and nothing counts as kept', async () => {
  using at = room('first'.length);
  system.isHomeless = true;
  for (const index of [1, 2]) expect(await at.keeper.keep(at.seen, index)).toBe('there is no room of ours on its device');
});

describe('where files get no second names', () => {
  test('small ones are copied with mode and time, and large ones take none of the room that there is', async () => {
    using at = room(100 * 2 ** 20);
    system.isLinkRefused = true;
    chmodSync(at.dir.at('a'), 0o640);
    utimesSync(at.dir.at('a'), 1_000_000_000, 1_000_000_000);
    const large = { ...at.seen, size: 65 * 2 ** 20 };
    for (const index of [1, 2]) expect(await at.keeper.keep(large, index)).toBe('the system refuses a second name (EPERM)');
    const kept = await at.keeper.keep(entryOf(at.dir.at('a'), lstatSync(at.dir.at('a'))), 3);
    const { mode, mtimeMs } = lstatSync(typeof kept === 'object' ? kept.at : '');
    expect([mode & 0o777, mtimeMs]).toEqual([0o640, 1_000_000_000_000]);
  });

  test('a copy for which the device has no room leaves nothing behind', async () => {
    using at = room();
    Object.assign(system, { isLinkRefused: true, isFull: true });
    expect(await at.keeper.keep(at.seen, 1)).toBe(UNDO_REASONS.noRoom);
    expect(readdirSync(at.dir.at(`state/${keptAsideName(at.dir.at('state'))}/run`))).toEqual([]);
  });
});

describe('what was kept for a change', () => {
  const keep = async (at: ReturnType<typeof room>): Promise<string> => {
    const kept = await at.keeper.keep(at.seen, 1);
    return typeof kept === 'object' ? kept.at : '';
  };

  test('that was never made goes in the end', async () => {
    using at = room();
    const kept = await keep(at);
    at.keeper.close();
    expect(existsSync(kept)).toBe(false);
  });

  test('that was made stays', async () => {
    using at = room();
    const kept = await keep(at);
    renameSync(at.dir.at('b'), at.dir.at('a'));
    at.keeper.close();
    expect(readFileSync(kept, 'utf8')).toBe('first');
  });

  test.each([
    ['a move', { kind: 'move', from: 'aside', to: 'a' }],
    ['another change of its name', { kind: 'create', path: 'a' }],
  ] as const)('stays where the file is back at its name by %s', async (_how, change) => {
    using at = room();
    const kept = await keep(at);
    renameSync(at.dir.at('a'), at.dir.at('aside'));
    const paths = 'path' in change ? { path: at.dir.at(change.path) } : { from: at.dir.at(change.from), to: at.dir.at(change.to) };
    at.keeper.expect({ ...change, ...paths } as Change); // the same kind of change, at the paths of this room
    renameSync(at.dir.at('aside'), at.dir.at('a'));
    at.keeper.close();
    expect(readFileSync(kept, 'utf8')).toBe('first');
  });
});
