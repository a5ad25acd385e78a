import { expect, test } from 'vitest';
import { manualTime } from '../../../test/support/manual-time.ts';
import { openQueueRoom } from '../../../test/support/queue-room.ts';
import { createInstance } from '../../app/create.ts';
import { StoreException } from '../../core/errors.ts';
import { memoryStore } from '../engine/memory/memory-store.ts';
import type { Store } from '../engine/port.ts';
import { createRecorder } from './recorder.ts';

/** An instance whose runs are recorded. */
const openRoom = (change: (store: Store) => Pick<Store, 'record'> = (store) => store) => {
  const store = memoryStore();
  const time = manualTime('2026-03-01T12:00:00Z');
  const factotum = createInstance({ log: { level: 'silent' } });
  const lines: string[] = [];
  const recorder = createRecorder({
    store: change(store),
    log: (level, message) => lines.push(`${level}: ${message}`),
    mask: factotum.masker.json,
    versions: { factotum: '1.2.3' },
    setTimer: time.setTimer,
  });
  factotum.observe(recorder);
  return {
    store,
    time,
    factotum,
    lines,
    recorder,
    async [Symbol.asyncDispose]() {
      await factotum.close();
      await recorder.close();
      await store.close();
    },
  };
};

test('keeps the list as written, each command, times, counts and versions', async () => {
  await using room = openRoom();
  const list = { actions: [['FA_progress_list'], ['FA_no_such_thing', { path: '${cwd}' }]], name: 'two' };
  const result = await room.factotum.run(list);
  await room.recorder.flush();
  expect(await room.store.run(result.run_id)).toMatchObject({
    body: list,
    name: 'two',
    mode: 'serial',
    source: 'library',
    caller: 'owner',
    state: 'failed',
    counts: result.counts,
    durationMs: result.duration_ms,
    versions: { factotum: '1.2.3' },
    isDryRun: false,
    commands: [
      { index: 0, action: 'FA_progress_list', state: 'ok', value: [] },
      { index: 1, action: 'FA_no_such_thing', state: 'failed', error: { type: 'UnknownActionException' } },
    ],
  });
});

test('keeps the plan and its hash of a dry run', async () => {
  await using room = openRoom();
  const result = await room.factotum.run({ actions: [['FA_progress_list']], dry_run: true });
  await room.recorder.flush();
  expect(await room.store.run(result.run_id)).toMatchObject({
    isDryRun: true,
    planHash: result.plan_hash,
    commands: [{ state: 'planned' }],
  });
});

test('keeps no secret, and says so', async () => {
  await using room = openRoom();
  room.factotum.masker.learn('correct-horse-battery');
  const result = await room.factotum.run([['FA_no_such_thing', { note: 'correct-horse-battery', password: 'anything' }]]);
  await room.recorder.flush();
  const run = await room.store.run(result.run_id);
  expect(JSON.stringify(run)).not.toMatch(/correct-horse|anything/);
  expect(run?.options).toEqual({ masked: true });
});

test('leaves runs alone that the store already has', async () => {
  await using room = openQueueRoom();
  const seen: string[] = [];
  const record = async ({ runId }: { readonly runId: string }) => void seen.push(runId);
  const recorder = createRecorder({ store: { record }, log: () => {}, mask: (value) => value });
  room.factotum.observe(recorder);
  await room.dispatcher.start();
  await room.untilState(await room.submit([['FA_t_once', ['a']]]), 'ok');
  const direct = await room.factotum.run([]);
  await recorder.close();
  expect(seen).toEqual([direct.run_id]);
});

test('a store that takes nothing stops no run: people are told once, and what waits is recorded later', async () => {
  let isFull = true;
  await using room = openRoom((store) => ({
    record: (run) => (isFull ? Promise.reject(new StoreException('No space is left; free some.')) : store.record(run)),
  }));
  const first = await room.factotum.run([['FA_progress_list']]);
  await room.recorder.flush();
  const second = await room.factotum.run([['FA_progress_list']]);
  await room.time.advance(20_000);
  expect(first.ok && second.ok).toBe(true);
  expect(room.lines).toEqual(['error: runs are not recorded: No space is left; free some.']);
  expect(room.recorder.trouble).toBe('No space is left; free some.');
  isFull = false;
  await room.time.advance(6_000);
  await room.recorder.flush();
  expect(room.recorder.trouble).toBeNull();
  expect(room.lines.at(-1)).toBe('info: runs are recorded again');
  expect(await room.store.run(first.run_id)).not.toBeNull();
  expect(await room.store.run(second.run_id)).not.toBeNull();
});

test('a run that the store cannot keep costs no other', async () => {
  const unexpected = () => new StoreException('It refused its work.', { context: { fault: 'unexpected' } });
  let refusals = 0;
  await using room = openRoom((store) => ({
    // As when a message to the writer cannot be sent: what travels together fails together, the first time.
    async record(run) {
      refusals += 1;
      if (run.name === 'hopeless' || refusals <= 2) throw unexpected();
      return store.record(run);
    },
  }));
  const [bad, good] = await Promise.all(['hopeless', 'neighbour'].map((name) => room.factotum.run({ actions: [], name })));
  await room.recorder.flush();
  expect(await room.store.run(good?.run_id ?? '')).not.toBeNull();
  expect(await room.store.run(bad?.run_id ?? '')).toBeNull();
  expect(room.lines).toEqual(['error: a run cannot be kept']);
  expect(room.recorder.trouble).toBeNull();
});

test('a store that takes nothing for long costs the oldest runs, not the memory', async () => {
  let isFull = true;
  await using room = openRoom((store) => ({
    record: (run) => (isFull ? Promise.reject(new StoreException('No space is left; free some.')) : store.record(run)),
  }));
  const oldest = await room.factotum.run([]);
  await room.recorder.flush();
  let newest = oldest;
  for (let at = 0; at < 10_000; at += 1) newest = await room.factotum.run([]);
  isFull = false;
  await room.time.advance(6_000);
  await room.recorder.flush();
  expect(await room.store.run(oldest.run_id)).toBeNull();
  expect(await room.store.run(newest.run_id)).not.toBeNull();
  expect((await room.store.runs({ limit: 1 })).items).toHaveLength(1);
});

test('a run is recorded before anybody is told of its end, and in trouble nobody waits', async () => {
  let isFull = false;
  await using room = openRoom((store) => ({
    record: (run) => (isFull ? Promise.reject(new StoreException('No space is left; free some.')) : store.record(run)),
  }));
  const { run_id } = await room.factotum.run([]);
  expect(await room.store.run(run_id)).toMatchObject({ state: 'ok' });
  isFull = true;
  expect((await Promise.all(Array.from({ length: 200 }, () => room.factotum.run([])))).length).toBe(200);
  expect(room.recorder.trouble).not.toBeNull();
});

test('what has ended is recorded before the end of the recorder', async () => {
  await using room = openRoom();
  const { run_id } = await room.factotum.run([['FA_progress_list']]);
  await room.recorder.close();
  expect(await room.store.run(run_id)).toMatchObject({ state: 'ok' });
});

test('the runs of one caller do not wait for those of another, however long these take', async () => {
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  await using room = openRoom((store) => ({
    record: async (run) => {
      if (run.caller === 'guest') await gate;
      return store.record(run);
    },
  }));
  const guest = { name: 'guest', remote: true };
  const slow = Array.from({ length: 100 }, () => room.factotum.run([['FA_progress_list']], { caller: guest }));
  const { run_id } = await room.factotum.run([['FA_progress_list']]);
  expect(await room.store.head(run_id)).toMatchObject({ caller: 'owner', state: 'ok' });
  release();
  expect((await Promise.all(slow)).every(({ ok }) => ok)).toBe(true);
});
