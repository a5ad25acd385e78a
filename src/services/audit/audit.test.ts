import { expect, test } from 'vitest';
import { openHouse } from '../../../test/support/house.ts';
import { memoryStore } from '../engine/memory/memory-store.ts';
import { createAudit } from './audit.ts';

const open = () => {
  const store = memoryStore();
  const told: string[] = [];
  const house = openHouse();
  const audit = createAudit({
    store,
    openStore: () => Promise.reject(new Error('no such file')),
    log: (_, message) => told.push(message),
    mask: house.factotum.masker.json,
  });
  house.factotum.observe(audit.observer);
  return {
    store,
    house,
    audit,
    told,
    async [Symbol.asyncDispose]() {
      await house[Symbol.asyncDispose]();
      await store.close();
    },
  };
};

test('every command of a run that ended is written down: who, what, with which arguments, what came of it', async () => {
  await using room = open();
  const { run_id } = await room.house.run([
    ['FA_create_file', { file_path: 'a.txt', content: 'hi' }],
    ['FA_copy_file', ['missing.txt', 'b.txt']],
  ]);
  const [second, first] = await room.audit.recent(10, null);
  expect(first).toMatchObject({
    action: 'FA_create_file',
    payload: { file_path: 'a.txt', content: 'hi' },
    error: null,
    caller: 'owner',
    run_id,
    duration_ms: expect.any(Number),
  });
  expect(second).toMatchObject({
    action: 'FA_copy_file',
    payload: ['missing.txt', 'b.txt'],
    error: expect.stringMatching(/^FileNotExistsException: /),
  });
  expect(await room.audit.count(null)).toBe(2);
});

test('the nodes of a graph are written down too; what did not run is not', async () => {
  await using room = open();
  await room.house.run({ nodes: [{ id: 'a', action: ['FA_create_dir', ['d']] }] });
  await room.house.run({ actions: [['FA_create_dir', ['e']]], dry_run: true });
  expect(await room.audit.recent(10, null)).toMatchObject([{ action: 'FA_create_dir', payload: ['d'] }]);
});

test('secrets do not reach the log', async () => {
  await using room = open();
  await room.house.run([['FA_encrypt_file', { source: 'a', target: 'b', key: 'hunter2hunter2', password: 'hunter2hunter2' }]]);
  expect(JSON.stringify(await room.audit.recent(10, null))).not.toContain('hunter2');
});

test('a log that cannot be written is told and stops nobody', async () => {
  await using room = open();
  await room.store.close();
  expect((await room.house.run([['FA_create_dir', ['d']]])).ok).toBe(true);
  await expect(room.audit.count(null)).rejects.toMatchObject({ type: 'AuditException' });
  expect(room.told).toEqual(['The audit log could not be written.']);
});

test('old lines can be deleted', async () => {
  await using room = open();
  await room.store.audit.record([{ at: Date.now() - 10_000, action: 'FA_old', payload: null }]);
  expect(await room.audit.purge(5, null)).toBe(1);
  expect(await room.audit.count(null)).toBe(0);
});
