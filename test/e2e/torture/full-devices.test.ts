import { mkdirSync, readdirSync, rmSync, statfsSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createFactotum } from '../../../src/app/create.ts';
import type { Example } from '../../../src/core/action.ts';
import type { Outcome } from '../../../src/core/result.ts';
import { loadActions } from '../../laws/all-actions.ts';
import { type Snapshot, snapshot } from '../../laws/disk.ts';
import { openHouse } from '../../support/house.ts';
import { rounds } from '../../support/torture.ts';
import { canMount, fillUp, smallDisk } from '../store/small-disk.ts';

// Every action that writes, on a device that is full or nearly so: what it calls ok is on the disk, and where it fails every file is the
// old one or the whole new one, and nothing else is left behind.

/** How many blocks are left to an action, in turn: with each one more it comes a little further before it fails. */
const MOST_BLOCKS_LEFT = rounds(3, 40);

const disk = canMount ? smallDisk() : undefined;
afterAll(() => disk?.[Symbol.dispose]());

/** A day long ago, so that archives of one scene are the same. */
const SCENE_TIME = new Date('2026-01-01T00:00:00Z');

const setScene = (room: string, { files = {}, dirs = [], links = {} }: Example): void => {
  mkdirSync(room);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(room, path)), { recursive: true });
    writeFileSync(join(room, path), typeof content === 'string' ? content : Buffer.from(content.base64, 'base64'));
    utimesSync(join(room, path), SCENE_TIME, SCENE_TIME);
  }
  for (const path of dirs) mkdirSync(join(room, path), { recursive: true });
  for (const [path, target] of Object.entries(links)) symlinkSync(target, join(room, path));
  // Archives hold the times of directories as well.
  for (const [path, { kind }] of snapshot(room)) if (kind === 'dir') utimesSync(join(room, path), SCENE_TIME, SCENE_TIME);
};

/** What is there by path; random parts of names are left out. */
const look = (room: string): Snapshot =>
  new Map([...snapshot(room)].map(([path, stood]) => [path.replaceAll(/[0-9a-f]{8,}/g, '*'), stood]));

interface Scene {
  readonly example: Example;
  /** One moment for all tries, so that names made of it are the same. */
  readonly nowMs: number;
}

interface Tried {
  readonly before: Snapshot;
  readonly after: Snapshot;
  readonly outcome: Outcome | undefined;
}

/** Runs an example in a fresh room; with a number, only so many blocks are left on the device meanwhile. */
const tryOut = async (room: string, name: string, { example, nowMs }: Scene, blocksLeft?: number): Promise<Tried> => {
  const filler = `${room}.filler`;
  setScene(room, example);
  const clock = { now: () => nowMs, monotonic: () => performance.now() };
  await using factotum = createFactotum({ cwd: room, log: { level: 'silent' }, clock });
  try {
    await factotum.run(example.after ?? []);
    const before = look(room);
    if (blocksLeft !== undefined) {
      const { bfree, bsize } = statfsSync(room);
      writeFileSync(filler, Buffer.alloc(Math.max(0, bfree - blocksLeft) * bsize));
    }
    const [outcome] = (await factotum.run([[name, example.args]])).results;
    return { before, after: look(room), outcome };
  } finally {
    rmSync(filler, { force: true });
    rmSync(room, { recursive: true, force: true });
  }
};

const stoodAt = (at: Snapshot, path: string): string | undefined => {
  const stood = at.get(path);
  return stood && `${stood.kind} ${stood.content}`;
};

/** What is on the disk and should not be, in words. `whole` is what the action does where there is room. */
const faultsOf = ({ before, after, outcome }: Tried, whole: Snapshot, isVariable: (path: string) => boolean): string[] => {
  const paths = new Set([...before.keys(), ...after.keys(), ...whole.keys()]);
  return [...paths].flatMap((path) => {
    const [was, is, wanted] = [before, after, whole].map((each) => stoodAt(each, path));
    const isDone = is === wanted || (is !== undefined && wanted !== undefined && isVariable(path) && is !== was);
    if (outcome?.status === 'ok') return isDone ? [] : [`it is ok, but ${path} is ${is}`];
    return isDone || is === was ? [] : [`it failed and left ${path} as ${is}`];
  });
};

describe.skipIf(disk === undefined)('on a full device (needs the right to mount a tmpfs)', async () => {
  const room = join(disk?.path ?? '', 'room');
  for (const { about, action } of await loadActions()) {
    const writes = about.effects.includes('writes') || about.effects.includes('removes');
    if ('db_path' in action.args) continue; // a store is more than its bytes: see below, and test/e2e/store/disk.test.ts
    if (!writes || about.effects.includes('network') || about.effects.includes('executes')) continue;
    for (const [at, example] of action.examples.entries()) {
      if (example.fails !== undefined) continue;
      test(`${about.name}, example ${at + 1}, leaves every file old or new, and says which`, async () => {
        const scene = { example, nowMs: Date.now() };
        const healthy = await tryOut(room, about.name, scene);
        const again = await tryOut(room, about.name, scene);
        expect(healthy.outcome?.error).toBeUndefined();
        // What holds random bytes, such as what is encrypted, is another each time.
        const isVariable = (path: string) => stoodAt(healthy.after, path) !== stoodAt(again.after, path);
        for (let left = 0; left < MOST_BLOCKS_LEFT; left += 1) {
          const tried = await tryOut(room, about.name, scene, left);
          expect([left, tried.outcome?.error?.type]).not.toContain('InternalException');
          expect([left, tried.outcome?.status, ...faultsOf(tried, healthy.after, isVariable)]).toEqual([left, tried.outcome?.status]);
        }
      });
    }
  }
});

describe.skipIf(!canMount)('a store that a caller names, on a full device (needs the right to mount a tmpfs)', async () => {
  const users = (await loadActions()).filter(({ action, about }) => 'db_path' in action.args && about.effects.includes('writes'));
  test.each(users.map(({ about, action }) => [about.name, action.examples[0]] as const))(
    'whatever %s leaves of it, the next command uses it',
    async (name, example) => {
      // One of its own: a driver may hold on to the space of a closed file for a while.
      using own = smallDisk();
      const room = own?.path ?? '';
      const command = [name, example?.args ?? {}];
      await using factotum = createFactotum({ cwd: room, log: { level: 'silent' } });
      if (own !== undefined) fillUp(own);
      const [outcome] = (await factotum.run([command])).results;
      expect(outcome?.error?.type).not.toBe('InternalException');
      own?.free();
      expect((await factotum.run([...(example?.after ?? []), command])).results.map(({ error }) => error)).toEqual(
        [...(example?.after ?? []), command].map(() => undefined),
      );
    },
  );
});

describe.skipIf(disk === undefined)('a tree that does not fit (needs the right to mount a tmpfs)', () => {
  const FILE_BYTES = 256 * 1024;
  const files = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`s/${at}`, Buffer.alloc(FILE_BYTES, at)]));

  test.each(['fail', 'skip'])('synchronised with on_unreadable %s fails and tells what is missing', async (on_unreadable) => {
    await using house = openHouse({ files, logLevel: 'error' });
    const target = join(disk?.path ?? '', 'tree');
    const { ok, results } = await house.run([['FA_sync_dir', { src: 's', dst: target, on_unreadable }]]);
    const there = readdirSync(target).filter((name) => statSync(join(target, name)).size === FILE_BYTES);
    expect(readdirSync(target)).toHaveLength(there.length);
    const failed = 12 - there.length;
    expect(failed).toBeGreaterThan(3);
    expect([ok, results[0]?.error?.type, results[0]?.error?.context.code]).toEqual([false, 'SyncException', 'ENOSPC']);
    expect(results[0]?.error?.context.summary).toMatchObject({
      copied: there.sort(),
      totals: { copied: there.length, failed },
      failed_count: failed,
    });
    rmSync(target, { recursive: true });
  });
});
