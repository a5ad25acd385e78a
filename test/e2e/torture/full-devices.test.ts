import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createInstance } from '../../../src/app/create.ts';
import { loadActions } from '../../laws/all-actions.ts';
import { openHouse } from '../../support/house.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { trialOf } from '../../support/trials/trial.ts';
import { needsMachine, scenesOf, storeUsersOf } from '../../support/trials/writing-actions.ts';
import { canMount, fillUp, smallDisk } from '../store/small-disk.ts';
import { faultsOf, healthyOf, tryOut } from './scenes.ts';

// Every action that writes, on a device that is full or nearly so: what it calls ok is on the disk, and where it fails every file is the
// old one or the whole new one, and nothing else is left behind.

const actions = await loadActions();
const readOnly = trialOf('read-only-device', scenesOf(actions).length);
const fullStores = trialOf('full-device-of-a-store', storeUsersOf(actions).length);

test('no action that writes is left out but those that can name no file', () => {
  const writing = actions.filter(({ about: { effects } }) => effects.some((effect) => effect === 'writes' || effect === 'removes'));
  const tried = new Set([...scenesOf(actions).map(({ name }) => name), ...storeUsersOf(actions).map(({ about }) => about.name)]);
  const untried = writing.filter((ready) => !tried.has(ready.about.name) && !needsMachine(ready));
  expect(untried.filter(({ action: { args } }) => Object.keys(args).some((arg) => !['name', 'drain'].includes(arg)))).toEqual([]);
  expect(writing.length).toBeGreaterThan(50);
});

/** How many blocks are left to an action, in turn: with each one more it comes a little further before it fails. */
const full = trialOf('full-device', scenesOf(actions).length);

const disk = canMount ? smallDisk() : undefined;
afterAll(() => disk?.[Symbol.dispose]());

describe.skipIf(disk === undefined)('on a full device (needs the right to mount a tmpfs)', async () => {
  const room = join(disk?.path ?? '', 'room');
  const filler = `${room}.filler`;
  const fill = (blocksLeft: number): void => {
    const { bfree, bsize } = statfsSync(room);
    writeFileSync(filler, Buffer.alloc(Math.max(0, bfree - blocksLeft) * bsize));
  };
  for (const scene of scenesOf(actions)) {
    test(`${scene.name}, example ${scene.at + 1}, leaves every file old or new, and says which`, async () => {
      const nowMs = Date.now();
      const once = await tryOut(room, scene, { nowMs });
      expect(once.outcome?.error).toBeUndefined();
      const healthy = healthyOf(once, await tryOut(room, scene, { nowMs }));
      for (let left = 0; left < full.each; left += 1) {
        full.did();
        const tried = await tryOut(room, scene, { nowMs, worsen: () => fill(left), mend: () => rmSync(filler, { force: true }) });
        expect([left, tried.outcome?.error?.type]).not.toContain('InternalException');
        expect([left, tried.outcome?.status, ...faultsOf(tried, healthy)]).toEqual([left, tried.outcome?.status]);
      }
    });
  }
});

describe.skipIf(!canMount)('on a device that may only be read (needs the right to mount a tmpfs)', async () => {
  const scenes = scenesOf(actions);
  test('every action that writes changes nothing, and says that it could not', async () => {
    using dir = tempDir();
    const mounted = dir.path;
    const worsen = () => {
      execFileSync('mount', ['--bind', mounted, mounted]);
      execFileSync('mount', ['-o', 'remount,bind,ro', mounted]);
    };
    const mend = () => execFileSync('umount', ['-l', mounted]);
    for (const scene of scenes) {
      const room = dir.at('room');
      const usual = await tryOut(room, scene, { nowMs: 0 });
      const { before, after, outcome } = await tryOut(room, scene, { nowMs: 0, worsen, mend });
      readOnly.did();
      expect([scene.name, after]).toEqual([scene.name, before]);
      if (outcome?.status === 'ok')
        expect([scene.name, usual.after]).toEqual([scene.name, usual.before]); // there was nothing to do
      else expect([scene.name, outcome?.error?.context.code]).toEqual([scene.name, 'EROFS']);
    }
  });
});

describe.skipIf(!canMount)('a store that a caller names, on a full device (needs the right to mount a tmpfs)', async () => {
  const users = storeUsersOf(actions);
  test.each(users.map(({ about, action }) => [about.name, action.examples[0]] as const))(
    'whatever %s leaves of it, the next command uses it',
    async (name, example) => {
      // One of its own: a driver may hold on to the space of a closed file for a while.
      using own = smallDisk();
      const room = own?.path ?? '';
      const command = [name, example?.args ?? {}];
      await using factotum = createInstance({ cwd: room, log: { level: 'silent' } });
      if (own !== undefined) fillUp(own);
      const [outcome] = (await factotum.run([command])).results;
      expect(outcome?.error?.type).not.toBe('InternalException');
      fullStores.did();
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
