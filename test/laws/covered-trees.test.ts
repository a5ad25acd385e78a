import { appendFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openHouse } from '../support/house.ts';
import { loadActions } from './all-actions.ts';

// The name of a plan covers every file that would be read, moved or removed. Whoever reads or moves a tree names its root, so what is
// below must count too: an approved plan must not run on other files than those that were there.

/** How to call each action that reads, moves or removes a tree. */
const CALLS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  FA_copy_all_file_to_dir: { dir_path: 't', target_dir_path: 'other' },
  FA_copy_dir: { dir_path: 't', target_dir_path: 'new' },
  FA_copy_specify_extension_file: { file_dir_path: 't', target_extension: 'txt', target_path: 'flat' },
  FA_create_tar: { source: 't', target: 'out.tar' },
  FA_diff_dirs: { left: 't', right: 'other' },
  FA_fast_find: { root: 't' },
  FA_find_duplicates: { root: 't' },
  FA_get_dir_files_as_list: { dir_path: 't' },
  FA_grep: { root: 't', pattern: 'x' },
  FA_integrity_check: { root: 't', manifest_path: 'm.json', sinks: [] },
  FA_list_dir: { dir_path: 't', recursive: true },
  FA_remove_dir_tree: { dir_path: 't' },
  FA_rename_dir: { origin_dir_path: 't', target_dir: 'other/t2' },
  FA_send_to_trash: { path: 't', trash_dir: 'trash' },
  FA_sync_dir: { src: 't', dst: 'new' },
  FA_verify_manifest: { root: 't', manifest_path: 'm.json' },
  FA_write_manifest: { root: 't', manifest_path: 'out.json' },
  FA_zip_dir: { dir_we_want_to_zip: 't', zip_name: 'out' },
};

/** Actions with an argument for a tree of which they read one file, or only names. */
const OTHERS: readonly string[] = [
  'FA_apply_dir_diff',
  'FA_cas_copy_to',
  'FA_cas_delete',
  'FA_cas_exists',
  'FA_cas_list',
  'FA_cas_read',
  'FA_cas_size',
  'FA_empty_trash', // goes by the records of what is in it
  'FA_execute_files',
  'FA_integrity_start', // compares later
  'FA_is_within',
  'FA_list_trash',
  'FA_restore_from_trash',
  'FA_rotate_backups', // takes no directory
  'FA_safe_join',
  'FA_version_list',
  'FA_version_prune',
  'FA_version_restore',
  'FA_watch_start',
  ...['s3', 'azure_blob', 'sftp', 'ftp', 'webdav', 'smb'].map((kind) => `FA_${kind}_upload_dir`), // name every file that they would read
];

const FILES = {
  't/a.txt': 'a',
  't/sub/b.txt': 'b',
  'other/c': 'c',
  'flat/keep': '',
  'm.json': '{"version": 1, "algorithm": "sha256", "files": {}}',
};

test('every action that takes a tree is here', async () => {
  const takers = (await loadActions()).filter(({ about, action }) => {
    const roles = Object.values(action.args).flatMap((arg) => arg.roles);
    return about.name === action.name && (roles.includes('readsTree') || roles.includes('removesTree'));
  });
  const known = new Set([...Object.keys(CALLS), ...OTHERS]);
  expect(takers.map(({ about }) => about.name).filter((name) => !known.has(name))).toEqual([]);
});

describe.each(Object.entries(CALLS))('%s', (name, args) => {
  test.each<[string, (at: (path: string) => string) => void]>([
    ['a file below has changed', (at) => appendFileSync(at('t/sub/b.txt'), 'more')],
    ['a file has come below', (at) => writeFileSync(at('t/sub/new.txt'), '')],
  ])('does not run on its plan when %s', async (_, change) => {
    await using house = openHouse({ files: FILES, logLevel: 'error' });
    const plan = await house.run({ actions: [[name, args]], dry_run: true });
    expect(plan.results[0]).toMatchObject({ status: 'planned' });
    expect(plan.results[0]?.plan?.effects).not.toEqual([]);
    expect((await house.run({ actions: [[name, args]], dry_run: true })).plan_hash).toBe(plan.plan_hash);
    change(house.dir.at);
    const fault = await house.refusal({ actions: [[name, args]], expect_plan: plan.plan_hash });
    expect(fault.type).toBe('PlanChangedException');
  });
});
