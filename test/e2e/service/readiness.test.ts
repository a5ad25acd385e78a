import { renameSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openConnection } from '../../../src/services/engine/driver.ts';
import { storeFileIn } from '../../../src/services/engine/embedded/embedded-store.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { factotum } from '../cli/built.ts';
import { canMount, fillUp, smallDisk } from '../store/small-disk.ts';
import { startServed } from './served.ts';

// Nobody sends a list here: /readyz finds out by itself.

const readiness = (url: string) => async () => {
  const answer = await fetch(`${url}/readyz`);
  return { status: answer.status, body: await answer.json() };
};
const notReady = (words: RegExp) => ({ status: 503, body: { status: 'not_ready', reason: expect.stringMatching(words) } });
const READY = { status: 200, body: { status: 'ready' } };

test('a service whose store is moved away is not ready until it is back', async () => {
  using dir = tempDir();
  await using served = startServed({ cwd: dir.path });
  const ask = readiness(await served.url);
  const file = storeFileIn(dir.at('.state/factotum'));
  expect(await ask()).toMatchObject(READY);
  renameSync(file, `${file}.away`);
  await expect.poll(ask).toMatchObject(notReady(/^store: The store at .* was moved/));
  renameSync(`${file}.away`, file);
  await expect.poll(ask).toMatchObject(READY);
});

test('one whose store is locked by another program is not ready until that lets go', async () => {
  using dir = tempDir();
  await using served = startServed({ cwd: dir.path });
  const ask = readiness(await served.url);
  expect(await ask()).toMatchObject(READY);
  const locker = openConnection(storeFileIn(dir.at('.state/factotum')));
  try {
    locker.exec('BEGIN IMMEDIATE');
    await expect.poll(ask).toMatchObject(notReady(/^store: (?:It does not answer|Another process keeps)/));
    locker.exec('ROLLBACK');
    await expect.poll(ask).toMatchObject(READY);
  } finally {
    locker.close();
  }
});

describe.skipIf(!canMount)('on a bad disk (needs the right to mount a tmpfs)', () => {
  const demandDisk = () => smallDisk() ?? expect.fail('no disk');

  test('one whose disk runs full is not ready until there is room', async () => {
    using disk = demandDisk();
    using dir = tempDir();
    await using served = startServed({ cwd: dir.path, state: disk.path });
    const ask = readiness(await served.url);
    expect(await ask()).toMatchObject(READY);
    fillUp(disk);
    await expect.poll(ask).toMatchObject(notReady(/^store: No space is left/));
    disk.free();
    await expect.poll(ask).toMatchObject(READY);
  });

  test('one whose disk is read-only does not start', () => {
    using disk = demandDisk();
    using dir = tempDir();
    expect(factotum(['runs'], { cwd: dir.path, env: { XDG_STATE_HOME: disk.path } }).code).toBe(0);
    disk.allowWriting(false);
    const { code, err } = factotum(['serve', '--no-tcp', '--port', '0'], { cwd: dir.path, env: { XDG_STATE_HOME: disk.path } });
    expect([code, err]).toEqual([1, expect.stringContaining('cannot be written')]);
  });
});
