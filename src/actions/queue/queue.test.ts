import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type RecordedCase, replay } from '../../../test/support/differential.ts';
import { openQueueHouse } from '../../../test/support/queue-house.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { createPolicy } from '../../access/policy.ts';
import { memoryStore } from '../../services/engine/memory/memory-store.ts';

const LIST = [['FA_copy_file', { file_path: '${cwd}/a', target_path: 'b' }]];
const db_path = 'queue.db';

const recorded: readonly RecordedCase[] = JSON.parse(readFileSync('test/fixtures/differential/cases-queue.json', 'utf8'));

test.each(recorded)('behaves as recorded: $id, $why', async (each) => {
  await replay(each, async (list) => ({ status: 200, body: await openQueueHouse('/').run(list) }));
});

describe('a queue in a file', () => {
  test('gives a list out as it was written, and takes it back later', async () => {
    using dir = tempDir();
    const house = openQueueHouse(dir.path);
    const { results } = await house.run([
      ['FA_queue_enqueue', { action: LIST, db_path }],
      ['FA_queue_dequeue', { db_path }],
      ['FA_queue_nack', { item_id: 1, delay: 60, db_path }],
      ['FA_queue_dequeue', { db_path }],
      ['FA_queue_size', { db_path }],
      ['FA_queue_purge', { db_path }],
      ['FA_queue_size', { db_path }],
    ]);
    expect(results.map(({ value }) => value)).toEqual([
      1,
      { id: 1, action: LIST, attempts: 1, enqueued_at: expect.stringMatching(/^\d{4}-.*Z$/) },
      null,
      null,
      1,
      1,
      0,
    ]);
  });

  test('refuses to finish what is not claimed', async () => {
    using dir = tempDir();
    const { results } = await openQueueHouse(dir.path).run([
      ['FA_queue_enqueue', { action: LIST, db_path }],
      ['FA_queue_ack', { item_id: 1, db_path }],
      ['FA_queue_nack', { item_id: 7, db_path }],
    ]);
    expect(results.slice(1).map(({ error }) => error)).toMatchObject([
      { type: 'QueueException', context: { item_id: 1 } },
      { type: 'QueueException', context: { item_id: 7 } },
    ]);
  });

  test('is not made by looking for it', async () => {
    using dir = tempDir();
    const { results } = await openQueueHouse(dir.path).run([
      ['FA_queue_size', { db_path }],
      ['FA_queue_dead_letters', { db_path }],
      ['FA_queue_purge', { db_path }],
      ['FA_queue_dequeue', { db_path }],
    ]);
    expect(results.map(({ value }) => value)).toEqual([0, [], 0, null]);
    expect(existsSync(dir.at(db_path))).toBe(false);
  });

  test('that is something else says so', async () => {
    using dir = tempDir({ [db_path]: 'no store' });
    const { results } = await openQueueHouse(dir.path).run([['FA_queue_size', { db_path }]]);
    expect(results[0]?.error).toMatchObject({ type: 'QueueException', message: expect.stringContaining('is no store') });
  });

  test('lies where the caller may write, links included', async () => {
    using dir = tempDir({ 'in/keep': '', 'out/keep': '' });
    symlinkSync(dir.at('out/queue.db'), dir.at('in/queue.db'));
    symlinkSync(dir.at('out'), dir.at('in/out'));
    const limited = { name: 'limited', remote: true, policy: createPolicy({ readWrite: [dir.at('in')] }) };
    const house = openQueueHouse(dir.at('in'));
    const places = ['fine.db', '../out/queue.db', 'queue.db', 'out/queue.db'];
    const { results } = await house.run(
      places.map((place) => ['FA_queue_enqueue', { action: LIST, db_path: place }]),
      limited,
    );
    expect(results.map(({ status }) => status)).toEqual(['ok', 'failed', 'failed', 'failed']);
    expect(readdirSync(dir.at('out'))).toEqual(['keep']);
  });

  test('is planned, not touched, in a dry run', async () => {
    using dir = tempDir();
    const { results } = await openQueueHouse(dir.path).run({
      actions: [
        ['FA_queue_enqueue', { action: LIST, db_path }],
        ['FA_queue_dequeue', { db_path }],
        ['FA_queue_ack', { item_id: 1, db_path }],
        ['FA_queue_enqueue', { action: LIST }],
      ],
      dry_run: true,
    });
    expect(results.map(({ plan }) => plan?.effects.map(({ kind }) => kind))).toEqual([['create'], ['overwrite'], ['overwrite'], []]);
    expect(readdirSync(dir.path)).toEqual([]);
  });
});

describe('the queue of the house', () => {
  test('keeps whose list it is and which run has queued it', async () => {
    await using store = memoryStore();
    const house = openQueueHouse('/', store);
    const result = await house.run([['FA_queue_enqueue', { action: LIST, priority: 3, run_at: 4_102_444_800 }], ['FA_queue_size']], {
      name: 'tester',
      remote: true,
    });
    expect(result.results.map(({ value }) => value)).toEqual([1, 1]);
    expect((await store.runs()).items).toMatchObject([
      { caller: 'tester', source: 'queue', priority: 3, runAt: 4_102_444_800_000, parent: result.run_id },
    ]);
  });

  test('is counted by each caller for itself, and by the owner for all', async () => {
    await using store = memoryStore();
    const house = openQueueHouse('/', store);
    const add = ['FA_queue_enqueue', { action: LIST, run_at: 4_102_444_800 }];
    const valuesFor = async (list: unknown, name?: string) =>
      (await house.run(list, name === undefined ? undefined : { name, remote: true })).results.map(({ value }) => value);
    await valuesFor([add, add]);
    await valuesFor([add], 'other');
    expect(await valuesFor([['FA_queue_size']], 'guest')).toEqual([0]);
    expect(await valuesFor([['FA_queue_size']], 'other')).toEqual([1]);
    expect(await valuesFor([['FA_queue_size']])).toEqual([3]);
  });

  test.each([[{}], [{ action: [] }], [{ actions: 'later' }]])('takes lists only, not %j', async (action) => {
    await using store = memoryStore();
    const { results } = await openQueueHouse('/', store).run([['FA_queue_enqueue', { action }]]);
    expect(results[0]?.error?.type).toMatch(/^(Queue|Argument)Exception$/);
    expect((await store.runs()).items).toEqual([]);
  });

  test('is missing without a store, and the remedy is named', async () => {
    const { results } = await openQueueHouse('/').run([['FA_queue_size']]);
    expect(results[0]?.error).toMatchObject({ type: 'QueueException', message: expect.stringContaining('factotum serve') });
  });
});

test('a command that stands alone where a list belongs is refused when it is stored, planned or not', async () => {
  using dir = tempDir();
  for (const dry_run of [false, true]) {
    const { results } = await openQueueHouse(dir.path).run({
      actions: [['FA_queue_enqueue', { action: ['FA_stat', { path: 'a' }], db_path }]],
      dry_run,
    });
    expect(results[0]?.error).toMatchObject({ type: 'QueueException', message: expect.stringContaining('also around a single one') });
  }
  expect(existsSync(dir.at(db_path))).toBe(false);
});
