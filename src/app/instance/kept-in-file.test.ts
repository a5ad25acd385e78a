import { describe, expect, test } from 'vitest';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { embeddedStore } from '../../services/engine/embedded/embedded-store.ts';
import { createInstance } from '../create.ts';

const openRoom = () => {
  const dir = tempDir({ 'a.txt': 'old' });
  const file = dir.at('state/factotum.db');
  const open = () => createInstance({ cwd: dir.path, store: file, log: { level: 'silent' } });
  return { dir, file, open, [Symbol.dispose]: dir[Symbol.dispose] };
};

describe('an instance with a store', () => {
  test('records its runs, with what it takes to undo them', async () => {
    using room = openRoom();
    const factotum = room.open();
    const { run_id } = await factotum.run([['FA_create_file', ['a.txt', 'new']]]);
    await factotum.close();
    await using store = embeddedStore({ file: room.file });
    expect(await store.run(run_id)).toMatchObject({ state: 'ok', source: 'library', caller: 'owner', commands: [{ state: 'ok' }] });
    expect(await store.undo.list(run_id)).not.toEqual([]);
  });

  test('keeps locks and jobs for the next one, and runs what was queued', async () => {
    using room = openRoom();
    {
      await using first = room.open();
      const { results } = await first.run([
        ['FA_lock_acquire', { name: 'n', owner: 'me' }],
        ['FA_schedule_add', { name: 'job', cron_expression: '0 0 1 1 *', action_list: [['FA_stat', ['a.txt']]] }],
        ['FA_queue_enqueue', { action: [['FA_create_file', ['b.txt', 'queued']]] }],
      ]);
      expect(results.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok']);
    }
    await using second = room.open();
    const { results } = await second.run([['FA_schedule_list'], ['FA_lock_acquire', { name: 'n', timeout: 0 }]]);
    expect(results).toMatchObject([{ value: [{ name: 'job' }] }, { error: { type: 'LockTimeoutException' } }]);
    await expect.poll(() => room.dir.read('b.txt')).toBe('queued');
  });

  test('is the only one that serves it', async () => {
    using room = openRoom();
    await using first = room.open();
    await first.run([]);
    await using second = room.open();
    await expect(second.run([])).rejects.toMatchObject({ type: 'StoreException', message: expect.stringContaining(String(process.pid)) });
  });
});
