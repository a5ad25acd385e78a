import { symlinkSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../../../src/access/caller.ts';
import { guardFiles } from '../../../src/access/guard-files.ts';
import { createPolicy } from '../../../src/access/policy.ts';
import { keptAsideName } from '../../../src/lib/fs/own-names.ts';
import { openHouse, type TestHouse } from '../../support/house.ts';

const MARK = 'what-others-did';
const KEPT = `all/data/${keptAsideName()}`;

let house: TestHouse;
let guest: Caller;

beforeAll(() => {
  house = openHouse({
    files: {
      'all/notes.txt': `${MARK} is the word`,
      'all/same.txt': MARK,
      'all/state/factotum.db': MARK,
      'all/state/spool/one.run': MARK,
      [`${KEPT}/run/0`]: MARK,
      'all/data/mine.txt': 'mine',
      'plugins/one/index.js': 'good',
      'twin/notes.txt': 'other',
      'twin/state/factotum.db': 'other',
      'new.txt': 'bad',
      'all/owner.secret': MARK,
      'flat/owner.secret': MARK,
      'flat/a.txt': 'a',
    },
  });
  symlinkSync('all/state', house.dir.at('way-in'));
  const policy = createPolicy({ readWrite: [house.dir.path] });
  guest = {
    name: 'guest',
    remote: true,
    policy: guardFiles(policy, {
      shut: [house.dir.at('all/state'), house.dir.at('all/owner.secret'), house.dir.at('flat/owner.secret')],
      fixed: [house.dir.at('plugins')],
    }),
  };
});

afterAll(() => house[Symbol.asyncDispose]());

const asGuest = async (...command: unknown[]) => (await house.factotum.run([command], { caller: guest })).results[0];
const asGuestDry = async (...command: unknown[]) =>
  (await house.factotum.run({ actions: [command], dry_run: true }, { caller: guest })).results[0];

describe('a caller whose root covers the state of the service', () => {
  test.each([
    ['FA_read_file', { file_path: 'all/state/factotum.db' }],
    ['FA_read_file', { file_path: 'way-in/factotum.db' }],
    ['FA_read_file', { file_path: 'all/owner.secret' }],
    ['FA_create_file', { file_path: 'flat/owner.secret', content: 'bad' }],
    ['FA_copy_file', { file_path: 'flat/owner.secret', target_path: 'out.txt' }],
    ['FA_read_file', { file_path: `${KEPT}/run/0` }],
    ['FA_stat', { path: 'all/state/factotum.db' }],
    ['FA_list_dir', { dir_path: 'all/state' }],
    ['FA_list_dir', { dir_path: KEPT }],
    ['FA_file_checksum', { path: 'all/state/factotum.db' }],
    ['FA_grep', { root: 'all/state', pattern: MARK }],
    ['FA_fast_find', { root: 'all/state', pattern: '*' }],
    ['FA_create_file', { file_path: 'all/state/factotum.db', content: 'bad' }],
    ['FA_create_file', { file_path: 'all/state/later.db', content: 'bad' }],
    ['FA_copy_file', { file_path: 'new.txt', target_path: 'all/state/factotum.db' }],
    ['FA_copy_file', { file_path: 'all/state/factotum.db', target_path: 'out.txt' }],
    ['FA_copy_dir', { dir_path: 'twin', target_dir_path: 'all' }],
    ['FA_rename_dir', { origin_dir_path: 'all', target_dir: 'out' }],
    ['FA_remove_dir_tree', { dir_path: 'all' }],
    ['FA_remove_file', { file_path: 'all/state/factotum.db' }],
    ['FA_send_to_trash', { path: 'all/state' }],
    ['FA_sync_dir', { src: 'twin', dst: 'all' }],
    ['FA_watch_start', { name: 'w', path: 'all/state', action_list: [['FA_progress_list']] }],
    ['FA_watch_start', { name: 'w', path: 'all', action_list: [['FA_progress_list']] }],
    ['FA_watch_start', { name: 'w', path: '.', action_list: [['FA_progress_list']] }],
    ['FA_queue_enqueue', { action: [['FA_progress_list']], db_path: 'all/state/factotum.db' }],
    ['FA_queue_dequeue', { db_path: 'all/state/factotum.db' }],
    ['FA_queue_size', { db_path: 'way-in/factotum.db' }],
    ['FA_lock_acquire', { name: 'l', db_path: 'all/state/factotum.db' }],
    ['FA_audit_count', { db_path: 'all/state/factotum.db' }],
    ['FA_create_file', { file_path: 'plugins/one/index.js', content: 'bad' }],
    ['FA_create_file', { file_path: 'plugins/two/package.json', content: 'bad' }],
    ['FA_copy_dir', { dir_path: 'twin', target_dir_path: 'plugins/two' }],
    ['FA_rename_dir', { origin_dir_path: 'plugins', target_dir: 'out' }],
  ])('may not %s %j, nor plan it', async (action, given) => {
    expect((await asGuest(action, given))?.error).toMatchObject({ type: 'PolicyException' });
    expect((await asGuestDry(action, given))?.error).toMatchObject({ type: 'PolicyException' });
    expect([house.dir.read('all/state/factotum.db'), house.dir.read('plugins/one/index.js')]).toEqual([MARK, 'good']);
    expect([house.dir.read('out.txt'), house.dir.read('out/state/factotum.db'), house.dir.read('all/state/later.db')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('copies and packs everything but old files of others', async () => {
    const limited = { ...guest, ...(guest.policy && { policy: { ...guest.policy, maxBytes: 1_000_000 } }) };
    for (const caller of [guest, limited]) {
      for (const command of [
        ['FA_copy_dir', { dir_path: 'all/data', target_dir_path: 'copied' }],
        ['FA_copy_dir', { dir_path: 'all/data', target_dir_path: 'twin' }],
        ['FA_zip_dir', { dir_we_want_to_zip: 'all/data', zip_name: 'copied', level: 0 }],
        ['FA_create_tar', { source: 'all/data', target: 'copied.tar', compression: null }],
      ])
        expect((await house.factotum.run([command], { caller })).results[0], JSON.stringify(command)).toMatchObject({ status: 'ok' });
    }
    for (const copy of ['copied', 'twin']) {
      expect(house.dir.read(`${copy}/mine.txt`)).toBe('mine');
      expect(house.dir.read(`${copy}/${keptAsideName()}/run/0`)).toBeUndefined();
    }
    for (const packed of ['copied.zip', 'copied.tar']) expect(house.dir.read(packed)).not.toContain(MARK);
  });
});

test('the owner reaches all of it', async () => {
  const { results } = await house.run([
    ['FA_read_file', ['all/state/factotum.db']],
    ['FA_grep', { root: 'all', pattern: MARK }],
  ]);
  expect(results[0]?.value).toBe(MARK);
  expect(JSON.stringify(results[1]?.value)).toMatch(/state.*factotum\.db/);
});
