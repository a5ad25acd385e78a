import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Caller } from '../../../src/access/caller.ts';
import { guardFiles } from '../../../src/access/guard-files.ts';
import { createPolicy } from '../../../src/access/policy.ts';
import { keptAsideName } from '../../../src/lib/fs/own-names.ts';
import { loadActions } from '../../laws/all-actions.ts';
import { openHouse, type TestHouse } from '../../support/house.ts';

const MARK = 'what-others-did';
/** No name of these and nothing of their content reaches the caller, neither by what is told nor by what is written. */
const SHUT = /owner\.secret|factotum\.db|one\.run|\bstate\b/;

const FILES = {
  'all/notes.txt': 'mine',
  'all/same.txt': 'mine',
  'all/deep/below/plain.txt': 'mine',
  'all/state/factotum.db': MARK,
  'all/state/spool/one.run': MARK,
  'all/deep/state/one.run': MARK,
  'all/owner.secret': MARK,
  [`all/${keptAsideName()}/run/0`]: MARK,
  'few/notes.txt': 'other',
  'merged/notes.txt': 'old',
  'flat/keep': '',
  'whole.json': JSON.stringify({ version: 1, algorithm: 'md5', files: {} }),
};

/** How to walk over what is shut with each action that walks, and what must be in what it tells or writes. */
const CALLS: Readonly<Record<string, readonly (readonly [Readonly<Record<string, unknown>>, RegExp])[]>> = {
  FA_grep: [[{ root: 'all', pattern: 'mine' }, /plain\.txt/]],
  FA_fast_find: [[{ root: 'all' }, /plain\.txt/]],
  FA_list_dir: [
    [{ dir_path: 'all', recursive: true }, /plain\.txt/],
    [{ dir_path: 'all' }, /notes\.txt/],
  ],
  FA_get_dir_files_as_list: [[{ dir_path: 'all', default_search_file_extension: 'txt' }, /plain\.txt/]],
  FA_find_duplicates: [[{ root: 'all', min_size: 1 }, /plain\.txt/]],
  FA_write_manifest: [[{ root: 'all', manifest_path: 'out.json' }, /./]],
  FA_verify_manifest: [[{ root: 'all', manifest_path: 'whole.json' }, /plain\.txt/]],
  FA_integrity_check: [[{ root: 'all', manifest_path: 'whole.json' }, /plain\.txt/]],
  FA_diff_dirs: [
    [{ left: 'all', right: 'few' }, /plain\.txt/],
    [{ left: 'few', right: 'all' }, /plain\.txt/],
  ],
  FA_copy_dir: [
    [{ dir_path: 'all', target_dir_path: 'out' }, /./],
    [{ dir_path: 'all', target_dir_path: 'merged' }, /./],
  ],
  FA_copy_specify_extension_file: [
    [{ file_dir_path: 'all', target_extension: 'txt', target_path: 'flat' }, /./],
    [{ file_dir_path: 'all', target_extension: 'db', target_path: 'flat' }, /./],
  ],
  FA_sync_dir: [
    [{ src: 'all', dst: 'out' }, /./],
    [{ src: 'all', dst: 'merged', delete: true }, /./],
  ],
  FA_copy_between: [[{ source: 'all', target: 'out' }, /plain\.txt/]],
  FA_sync_between: [[{ source: 'all', target: 'merged' }, /plain\.txt/]],
  FA_zip_dir: [[{ dir_we_want_to_zip: 'all', zip_name: 'out', level: 0 }, /./]],
  FA_create_tar: [[{ source: 'all', target: 'out.tar', compression: null }, /./]],
};

/** Actions that take a tree and do not walk it as a caller would. */
const OTHERS: Readonly<Record<string, string>> = {
  FA_apply_dir_diff: 'takes what a difference names',
  FA_integrity_start: 'is many FA_integrity_check',
  FA_is_within: 'reads nothing',
  FA_safe_join: 'reads nothing',
  FA_cas_exists: 'reads one file',
  FA_cas_read: 'reads one file',
  FA_cas_copy_to: 'reads one file',
  FA_cas_list: 'knows its own directory only',
  FA_cas_size: 'knows its own directory only',
  FA_version_list: 'knows its own directory only',
  FA_version_restore: 'reads one file',
  FA_list_trash: 'tells what its records say',
  FA_execute_files: 'runs lists, each of which is judged on its own',
  ...Object.fromEntries(
    ['s3', 'azure_blob', 'sftp', 'ftp', 'webdav', 'smb'].map((kind) => [`FA_${kind}_upload_dir`, 'walks as FA_copy_between does']),
  ),
  FA_watch_start: 'refuses such a tree, because names would be told as events',
};

let house: TestHouse;
let guest: Caller;

beforeEach(() => {
  house = openHouse({ files: FILES, logLevel: 'error' });
  const shut = ['all/state', 'all/deep/state', 'all/owner.secret'].map(house.dir.at);
  guest = { name: 'guest', remote: true, policy: guardFiles(createPolicy({ readWrite: [house.dir.path] }), { shut }) };
});
afterEach(() => house[Symbol.asyncDispose]());

test('every action that reads a tree is in the table or has a reason not to be', async () => {
  const readers = (await loadActions()).filter(({ action }) => Object.values(action.args).some(({ roles }) => roles.includes('readsTree')));
  const names = [...new Set(readers.map(({ action }) => action.name))];
  expect(names.filter((name) => CALLS[name] === undefined && OTHERS[name] === undefined)).toEqual([]);
});

const cases = Object.entries(CALLS).flatMap(([name, calls]) => calls.map(([args, found]) => [name, args, found] as const));

describe.each(cases)('%s %j', (name, args, found) => {
  const run = async (caller: Caller, dry_run: boolean) =>
    (await house.factotum.run({ actions: [[name, args]], dry_run }, { caller })).results[0];

  test('passes over what is shut without a word', async () => {
    const planned = await run(guest, true);
    expect([planned?.status, planned?.error]).toEqual(['planned', undefined]);
    expect(JSON.stringify(planned)).not.toMatch(SHUT);
    const outcome = await run(guest, false);
    expect([outcome?.status, outcome?.error, outcome?.notes]).toEqual(['ok', undefined, undefined]);
    const told = JSON.stringify(outcome?.value);
    expect(told).toMatch(found);
    expect(told).not.toMatch(SHUT);
    for (const path of ['out', 'merged', 'flat'])
      for (const inner of ['state/factotum.db', 'state/one.run', 'deep/state/one.run', 'owner.secret', 'factotum.db'])
        expect([path, inner, house.dir.read(`${path}/${inner}`)]).toEqual([path, inner, undefined]);
    for (const path of ['out.json', 'out.zip', 'out.tar']) expect(house.dir.read(path) ?? '').not.toMatch(SHUT);
  });

  test('does so where bytes and deletions are counted', async () => {
    const policy = guest.policy && { ...guest.policy, maxBytes: 1_000_000, maxDeletes: 1000 };
    const outcome = await run({ ...guest, ...(policy && { policy }) }, false);
    expect([outcome?.status, outcome?.error, outcome?.notes]).toEqual(['ok', undefined, undefined]);
    expect(JSON.stringify(outcome?.value)).not.toMatch(SHUT);
    for (const path of ['out', 'merged']) expect(house.dir.read(`${path}/state/factotum.db`)).toBeUndefined();
  });
});

test('what is written takes all the rest along', async () => {
  const { results } = await house.factotum.run(
    [
      ['FA_copy_dir', { dir_path: 'all', target_dir_path: 'out' }],
      ['FA_sync_dir', { src: 'all', dst: 'synced' }],
      ['FA_zip_dir', { dir_we_want_to_zip: 'all', zip_name: 'out', level: 0 }],
      ['FA_write_manifest', { root: 'all', manifest_path: 'out.json' }],
    ],
    { caller: guest },
  );
  expect(results.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok', 'ok']);
  for (const copy of ['out', 'synced']) expect(house.dir.read(`${copy}/deep/below/plain.txt`)).toBe('mine');
  for (const name of ['out.zip', 'out.json']) expect(house.dir.read(name)).toContain('deep/below/plain.txt');
});

test.each([
  ['FA_sync_dir', { src: 'few', dst: 'all' }],
  ['FA_copy_dir', { dir_path: 'few', target_dir_path: 'all' }],
  ['FA_remove_dir_tree', { dir_path: 'all' }],
])('nothing is changed around what is shut: %s', async (name, args) => {
  for (const dry_run of [true, false]) {
    const { results } = await house.factotum.run({ actions: [[name, args]], dry_run }, { caller: guest });
    expect(results[0]?.error?.type).toBe('PolicyException');
  }
});
