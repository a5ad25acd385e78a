import { readdirSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { createPolicy, type Policy } from '../../access/policy.ts';
import type { Change } from '../../core/journal.ts';
import { createForesight } from '../../core/planning.ts';
import { placeAnywhere, placeInside } from '../place.ts';
import { createPlanningFiles } from '../planning.ts';
import { createRealFiles } from '../real.ts';

const { signal } = new AbortController();

const realPort = (cwd: string, policy?: Policy, told: Change[] = []) =>
  createRealFiles({
    cwd,
    policy,
    place: policy === undefined ? placeAnywhere : placeInside(policy),
    budget: undefined,
    journal: { before: async (change) => void told.push(change) },
  });

const failure = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (fault: { type?: string }) => fault.type,
  );

describe('share', () => {
  test('a hard link takes the place of a file at once, and the journal is told', async () => {
    using dir = tempDir({ a: 'same', b: 'same' });
    const told: Change[] = [];
    await realPort(dir.path, undefined, told).share('b', 'a', { how: 'hardlink', signal });
    expect(statSync(dir.at('b')).ino).toBe(statSync(dir.at('a')).ino);
    expect(told).toMatchObject([{ kind: 'overwrite', path: dir.at('b') }]);
    await realPort(dir.path).share('b', 'a', { how: 'hardlink', signal });
    expect(readdirSync(dir.path).sort()).toEqual(['a', 'b']);
  });

  test('a copy that shares space keeps its own mode and times, or is refused by the file system', async () => {
    using dir = tempDir({ a: 'same', b: 'same' });
    utimesSync(dir.at('b'), 1_000, 1_000);
    const outcome = await failure(realPort(dir.path).share('b', 'a', { how: 'reflink', signal }));
    expect(['done', 'FileAccessException']).toContain(outcome);
    expect([dir.read('b'), statSync(dir.at('b')).mtimeMs]).toEqual(['same', 1_000_000]);
  });

  test('only files can share, in a dry run too', async () => {
    using dir = tempDir({ a: '1', 'd/b': '2' });
    symlinkSync('a', dir.at('link'));
    const real = realPort(dir.path);
    const planning = createPlanningFiles({
      real,
      foresight: createForesight(),
      policy: undefined,
      budget: undefined,
      now: () => 0,
    });
    for (const port of [real, planning]) {
      expect(await failure(port.share('a', 'gone', { how: 'hardlink', signal }))).toBe('FileNotExistsException');
      expect(await failure(port.share('gone', 'a', { how: 'hardlink', signal }))).toBe('FileNotExistsException');
      expect(await failure(port.share('d', 'a', { how: 'hardlink', signal }))).toBe('FileNotExistsException');
      expect(await failure(port.share('link', 'a', { how: 'hardlink', signal }))).toBe('PathTraversalException');
    }
    expect(dir.read('link')).toBe('1');
  });

  test('whoever may only read a file gets no further name for it', async () => {
    using dir = tempDir({ 'mine/b': 'same', 'theirs/a': 'same' });
    const port = realPort(dir.path, createPolicy({ readWrite: [dir.at('mine')], readOnly: [dir.at('theirs')] }));
    expect(await failure(port.share(dir.at('mine/b'), dir.at('theirs/a'), { how: 'hardlink', signal }))).toBe('PolicyException');
    expect(statSync(dir.at('theirs/a')).nlink).toBe(1);
  });

  test('a dry run foretells it and later commands see it', async () => {
    using dir = tempDir({ a: 'other', b: 'same' });
    const foresight = createForesight();
    const port = createPlanningFiles({ real: realPort(dir.path), foresight, policy: undefined, budget: undefined, now: () => 0 });
    const end = foresight.begin();
    await port.share('b', 'a', { how: 'hardlink', signal });
    expect(end()).toContainEqual({ kind: 'overwrite', target: dir.at('b'), bytes: 5 });
    expect((await port.read('b')).toString()).toBe('other');
    expect(dir.read('b')).toBe('same');
  });
});
