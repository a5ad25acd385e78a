import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import type { Caller } from '../../../src/access/caller.ts';
import { createPolicy } from '../../../src/access/policy.ts';
import { embeddedStore, storeFileIn } from '../../../src/services/engine/embedded/embedded-store.ts';
import { openQueueHouse } from '../../support/queue-house.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { patience } from '../../support/torture.ts';
import { trialOf } from '../../support/trials/trial.ts';

/** Puts a link in the place of a directory and takes it away again, as fast as it can, until it is told to stop. */
const SWAPPER = `
  const { workerData: { at, link, aside, stop } } = require('node:worker_threads');
  const { renameSync, rmSync } = require('node:fs');
  // While nothing stands there the caller may make a directory, which is in the way then.
  const put = (from) => {
    for (;;) {
      try {
        return renameSync(from, at);
      } catch {
        rmSync(at, { recursive: true, force: true });
      }
    }
  };
  while (Atomics.load(stop, 0) === 0) {
    renameSync(at, aside);
    put(link);
    Atomics.add(stop, 1, 1);
    renameSync(at, link);
    put(aside);
  }
`;

const trial = trialOf('swapped-directories');
test.skipIf(process.platform === 'win32')(
  'a directory that is swapped for a link to the state of the owner never leads a limited caller there',
  patience(300_000),
  async () => {
    using dir = tempDir();
    const state = dir.at('state');
    const home = dir.at('home');
    mkdirSync(dir.at('home/d'), { recursive: true });
    await using owner = embeddedStore({ file: storeFileIn(state) });
    for (let each = 0; each < 3; each += 1) await owner.submit({ source: 'queue', caller: 'owner', body: [['FA_progress_list']] });
    const guest: Caller = { name: 'guest', remote: true, policy: createPolicy({ readWrite: [home] }) };
    const house = openQueueHouse(home);
    // A queue of its own, which is empty: whatever is counted or deleted there later is the owner's.
    await house.run(
      [
        ['FA_queue_enqueue', { action: [['FA_progress_list']], db_path: 'd/factotum.db' }],
        ['FA_queue_purge', { db_path: 'd/factotum.db' }],
      ],
      guest,
    );
    symlinkSync(state, dir.at('home/way'));
    const before = readdirSync(state).sort();
    const stop = new Int32Array(new SharedArrayBuffer(8));
    const swapper = new Worker(SWAPPER, {
      eval: true,
      workerData: { at: dir.at('home/d'), link: dir.at('home/way'), aside: dir.at('home/aside'), stop },
    });
    const ended = new Promise((done) => swapper.once('exit', done));
    const hits: unknown[] = [];
    let answered = 0;
    try {
      for (let each = 0; each < trial.count; each += 1) {
        trial.did();
        const name = each % 3 === 0 ? 'FA_queue_purge' : 'FA_queue_size';
        const { results } = await house.run([[name, { db_path: 'd/factotum.db' }]], guest);
        const [entry] = results;
        if (entry?.status === 'ok') answered += 1;
        if (entry?.status === 'ok' && entry.value !== 0) hits.push(entry.value);
      }
    } finally {
      Atomics.store(stop, 0, 1);
      await ended;
    }
    expect(hits).toEqual([]);
    expect(answered).toBeGreaterThan(0);
    expect(Atomics.load(stop, 1)).toBeGreaterThan(0);
    expect(await owner.queue.size('ready')).toBe(3);
    expect(readdirSync(state).sort()).toEqual(before);
  },
);
