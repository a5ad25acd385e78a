import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { openConnection } from '../../../../src/services/engine/driver.ts';
import { storeFileIn } from '../../../../src/services/engine/embedded/embedded-store.ts';
import { trialOf } from '../../../support/trials/trial.ts';
import { canMount, fillUp, smallDisk } from '../../store/small-disk.ts';
import { DOORS, doorWords, openPlace, start, waysOf, waysUnlike } from './processes.ts';

// A store that cannot be used is told with one message and 1, and keeps nobody from stopping.

const served = trialOf('store-of-another');
test('one that another service has is refused with one message and 1', async () => {
  using dir = openPlace();
  const first = start(dir, doorWords('serve'));
  await first.hasSaid(/Listening/);
  const ways = await waysOf(served, DOORS, ({ which }) => start(dir, doorWords(which)).ended);
  first.child.kill('SIGTERM');
  expect((await first.ended).code).toBe(0);
  expect(waysUnlike(ways, /: 1 \|✗ The store at [^\n]* is served by process [^\n]*\n$/)).toEqual({});
});

const locked = trialOf('locked-store');
test('one that another program keeps locked is told, and does not hold up whoever stops meanwhile', async () => {
  using dir = openPlace();
  await start(dir, ['runs']).ended;
  const locker = openConnection(storeFileIn(dir.at('state/factotum')));
  locker.exec('BEGIN IMMEDIATE');
  try {
    const ways = await waysOf(locked, DOORS, async ({ which, turn }) => {
      const { child, ended } = start(dir, doorWords(which));
      if (turn % 2 === 1) {
        await once(child, 'spawn');
        child.kill('SIGTERM');
      }
      return await ended;
    });
    const wanted =
      /: (?:SIGTERM \||1 \|(?:Stopping[^\n]*\n)?✗ (?:Another process keeps the store|The store at [^\n]* is served by) [^\n]*\n|0 \|Stopping[^\n]*\n)$/;
    expect(waysUnlike(ways, wanted)).toEqual({});
  } finally {
    locker.close();
  }
});

describe.skipIf(!canMount)('on a bad disk (needs the right to mount a tmpfs)', () => {
  const full = trialOf('stopped-on-a-full-disk');
  test('that becomes full, it does not keep a service from stopping well', async () => {
    const ways = await waysOf(full, DOORS, async ({ which }) => {
      using disk = smallDisk();
      if (disk === undefined) throw new Error('no disk');
      using dir = openPlace();
      const { child, ended, hasSaid } = start(dir, doorWords(which), { state: disk.path });
      await hasSaid(/No secret is set/);
      fillUp(disk);
      child.kill('SIGTERM');
      return { ...(await ended), out: '' };
    });
    expect(waysUnlike(ways, /: 0 \|Configured[^\n]*\n! No secret[^\n]*\nStopping what runs; [^\n]*\n$/)).toEqual({});
  });

  const readOnly = trialOf('store-on-a-read-only-disk');
  test('that cannot be written, it is told with one message and 1', async () => {
    using disk = smallDisk();
    if (disk === undefined) throw new Error('no disk');
    using dir = openPlace();
    expect((await start(dir, ['runs'], { state: disk.path }).ended).code).toBe(0);
    disk.allowWriting(false);
    const ways = await waysOf(readOnly, DOORS, ({ which }) => start(dir, doorWords(which), { state: disk.path }).ended);
    expect(waysUnlike(ways, /: 1 \|✗ The store at [^\n]* cannot be written; [^\n]*\n$/)).toEqual({});
  });
});
