import { createHash } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { openOwner, signal } from '../../../test/e2e/files/ports.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import type { Place } from '../place.ts';
import type { Inverse } from './inverse.ts';
import { createReverter } from './revert.ts';
import { identityAt, stampAt } from './stamp.ts';
import { placeByHandles } from './undo-files.ts';

/** What the system says lies on another device, what happens when it does, and what was written to the device for good. */
const system = vi.hoisted(() => ({ elsewhere: '', meanwhile: () => {}, synced: 0 }));

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  const renameSync = (from: string, to: string) => {
    if (from !== system.elsewhere) return fs.renameSync(from, to);
    system.meanwhile();
    throw Object.assign(new Error('EXDEV'), { code: 'EXDEV' });
  };
  const fsyncSync = (fd: number) => {
    fs.fsyncSync(fd);
    system.synced = fs.fstatSync(fd).size;
  };
  return { ...fs, renameSync, fsyncSync };
});

beforeEach(() => {
  Object.assign(system, { elsewhere: '', meanwhile: () => {}, synced: -1 });
});

/** A directory and what takes changes in it back; `between` is called when a place was found and nothing is done there yet. */
const room = (files: Readonly<Record<string, string>>, between: () => void = () => {}) => {
  const dir = tempDir(files);
  const place: Place = (path, options) => {
    const spot = placeByHandles(path, options);
    between();
    return spot;
  };
  const revert = createReverter({ place, files: openOwner(dir.path), signal, windows: [] });
  return {
    dir,
    identity: (path: string) => identityAt(dir.at(path)) ?? '',
    undo: (inverse: Inverse, known: { readonly left?: string | undefined; readonly endedAt?: number } = {}) =>
      revert({ change: { ...inverse, at: Date.now() }, left: known.left, endedAt: known.endedAt }),
    [Symbol.dispose]: dir[Symbol.dispose],
  };
};

const refusal = (reason: string) => ({ isUndone: false, reason });

test('nothing is touched where a directory is swapped between the look at it and the work in it', async () => {
  let swap = () => {};
  using at = room({ 'p/keep': '' }, () => swap());
  mkdirSync(at.dir.at('p/d'));
  swap = () => {
    swap = () => {};
    renameSync(at.dir.at('p'), at.dir.at('q'));
    mkdirSync(at.dir.at('p/d'), { recursive: true });
  };
  expect(await at.undo({ undo: 'remove_dir', path: at.dir.at('p/d') })).toMatchObject({ isUndone: false });
  expect([existsSync(at.dir.at('p/d')), existsSync(at.dir.at('q/d'))]).toEqual([true, true]);
});

test('a file that never went is left alone, and what was kept of it goes', async () => {
  using at = room({ f: 'content' });
  linkSync(at.dir.at('f'), at.dir.at('kept'));
  const identity = at.identity('f');
  const inverse = {
    undo: 'put_back',
    path: at.dir.at('f'),
    identity,
    kept: { at: at.dir.at('kept'), identity },
    isReplaced: false,
  } as const;
  expect(await at.undo(inverse)).toEqual({ isUndone: true });
  expect(readdirSync(at.dir.path)).toEqual(['f']);
});

test('a tree comes back to no place where something stands now, be it an empty directory', async () => {
  using at = room({ 'kept/a': '1' });
  mkdirSync(at.dir.at('t'));
  const inverse = { undo: 'put_back_tree', path: at.dir.at('t'), kept: { at: at.dir.at('kept'), identity: at.identity('kept') } } as const;
  expect(await at.undo(inverse)).toEqual(refusal('something else stands there now'));
  expect([readdirSync(at.dir.at('t')), at.dir.read('kept/a')]).toEqual([[], '1']);
});

describe('what was moved', () => {
  const moved = (at: ReturnType<typeof room>, to: string, from: string): Inverse => ({
    undo: 'move_back',
    path: at.dir.at(to),
    from: at.dir.at(from),
    identity: at.identity(to),
    stamp: stampAt(at.dir.at(to)) ?? '',
  });

  test('does not come back into a directory that somebody has taken away since', async () => {
    using at = room({ t: 'content' });
    expect(await at.undo(moved(at, 't', 'gone/f'))).toEqual(refusal('its directory is gone'));
    expect(readdirSync(at.dir.path)).toEqual(['t']);
  });

  test('stays where somebody has changed it since', async () => {
    using at = room({ t: 'content' });
    const inverse = moved(at, 't', 'f');
    // Of the same length and time as before, but later than the run.
    expect(await at.undo(inverse, { endedAt: 1 })).toEqual(refusal('it was changed since'));
    writeFileSync(at.dir.at('t'), 'another content');
    expect(await at.undo(inverse)).toEqual(refusal('it was changed since'));
    expect(readdirSync(at.dir.path)).toEqual(['t']);
  });
});

test('marks are set back on no link', async () => {
  using at = room({ f: '1' });
  chmodSync(at.dir.at('f'), 0o600);
  symlinkSync('f', at.dir.at('l'));
  const inverse = { undo: 'set_back', path: at.dir.at('l'), mode: 0o777, mtimeMs: 1_000_000_000_000 } as const;
  expect(await at.undo(inverse, { left: stampAt(at.dir.at('l')) })).toEqual(refusal('it was changed since'));
  expect(lstatSync(at.dir.at('f')).mode & 0o777).toBe(0o600);
});

describe('marks', () => {
  test('come back: the mode, and the time where it was changed', async () => {
    using at = room({ f: '1' });
    const { mtimeNs } = lstatSync(at.dir.at('f'), { bigint: true });
    const { mtimeMs } = lstatSync(at.dir.at('f'));
    chmodSync(at.dir.at('f'), 0o600);
    const inverse = { undo: 'set_back', path: at.dir.at('f'), mode: 0o640, mtimeMs } as const;
    expect(await at.undo(inverse, { left: stampAt(at.dir.at('f')) })).toEqual({ isUndone: true });
    const { mode, mtimeNs: now } = lstatSync(at.dir.at('f'), { bigint: true });
    expect([mode & 0o777n, now]).toEqual([0o640n, mtimeNs]);
  });
});

test('a directory with something that came since stays, with that', async () => {
  using at = room({ 'd/theirs': 'x' });
  expect(await at.undo({ undo: 'remove_dir', path: at.dir.at('d') })).toEqual(refusal('there is something in it that came since'));
  expect(at.dir.read('d/theirs')).toBe('x');
  rmSync(at.dir.at('d/theirs'));
  expect(await at.undo({ undo: 'remove_dir', path: at.dir.at('d') })).toEqual({ isUndone: true });
});

test('what was kept on another device comes back, and not into a directory that was swapped while it was copied', async () => {
  for (const isSwapped of [false, true]) {
    using at = room({ 'p/other': '', kept: 'old' });
    system.elsewhere = at.dir.at('kept');
    system.meanwhile = () => {
      if (!isSwapped) return;
      renameSync(at.dir.at('p'), at.dir.at('q'));
      mkdirSync(at.dir.at('p'));
    };
    const kept = { at: at.dir.at('kept'), identity: at.identity('kept') };
    const outcome = await at.undo({ undo: 'put_back', path: at.dir.at('p/f'), identity: '0:0', kept, isReplaced: false });
    expect(outcome.isUndone).toBe(!isSwapped);
    expect([existsSync(at.dir.at('p/f')), existsSync(at.dir.at('q/f')), existsSync(kept.at)]).toEqual([!isSwapped, false, isSwapped]);
  }
});

test('a file that was appended to is on the device as it was before the undo says so', async () => {
  using at = room({ f: 'old' });
  appendFileSync(at.dir.at('f'), 'new');
  const digest = createHash('sha256').update('new').digest('base64url');
  const inverse = { undo: 'cut', path: at.dir.at('f'), start: 3, mtimeMs: 1_000_000_000_000, bytes: 3, digest, lead: '' } as const;
  expect(await at.undo(inverse)).toEqual({ isUndone: true });
  expect([at.dir.read('f'), system.synced]).toEqual(['old', 3]);
});
