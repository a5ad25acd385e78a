import { chmodSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openHouse, type TestHouse } from '../support/house.ts';
import { asOrdinaryUser } from '../support/ordinary-user.ts';
import { loadActions } from './all-actions.ts';

/** How to call each action that goes on without what it cannot read. */
const CALLS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  FA_sync_dir: { src: 's', dst: 'out' },
  FA_copy_dir: { dir_path: 's', target_dir_path: 'out' },
  FA_copy_specify_extension_file: { file_dir_path: 's', target_extension: 'txt', target_path: 'flat' },
  FA_zip_dir: { dir_we_want_to_zip: 's', zip_name: 'out' },
  FA_create_tar: { source: 's', target: 'out.tar' },
  FA_write_manifest: { root: 's', manifest_path: 'out.json' },
  FA_find_duplicates: { root: 's' },
  FA_grep: { root: 's', pattern: 'text' },
  FA_fast_find: { root: 's' },
  FA_list_dir: { dir_path: 's', recursive: true },
  FA_get_dir_files_as_list: { dir_path: 's', default_search_file_extension: 'txt' },
};

/** Actions that take a tree and have no such argument, and why. */
const OTHERS: Readonly<Record<string, string>> = {
  FA_apply_dir_diff: 'takes what a difference names, and all of that',
  FA_diff_dirs: 'fails whatever it could not compare: a difference that leaves something out is none',
  FA_verify_manifest: 'tells what it could not judge in its value, and whether all is well',
  FA_integrity_check: 'is one FA_verify_manifest',
  FA_integrity_start: 'is many FA_verify_manifest',
  FA_is_within: 'reads nothing',
  FA_safe_join: 'reads nothing',
  FA_cas_exists: 'reads one file',
  FA_cas_read: 'reads one file',
  FA_cas_copy_to: 'reads one file',
  FA_cas_list: 'fails at the first directory that it cannot read',
  FA_cas_size: 'fails at the first directory that it cannot read',
  FA_version_list: 'fails at a directory that it cannot read',
  FA_version_restore: 'reads one file',
  FA_list_trash: 'tells what its records say',
  FA_execute_files: 'runs lists, each of which fails on its own',
  ...Object.fromEntries(
    ['s3', 'azure_blob', 'sftp', 'ftp', 'webdav', 'smb'].map((kind) => [
      `FA_${kind}_upload_dir`,
      'does the rest, and fails with what it could not',
    ]),
  ),
  FA_watch_start: 'starts a watcher, which tells of what it cannot watch',
};

const TREE = { 's/a.txt': 'text', 's/d/b.txt': 'text', 's/secret.txt': 'text', 's/locked/x.txt': 'text', 'flat/keep': '' };

const openScene = (): TestHouse => {
  const house = openHouse({ files: TREE, logLevel: 'error' });
  chmodSync(house.dir.at('s/secret.txt'), 0o000);
  chmodSync(house.dir.at('s/locked'), 0o000);
  return house;
};

const actions = await loadActions();

test('an action that reads a tree says what becomes of it when a part cannot be read', () => {
  const readers = actions.filter(({ action }) => Object.values(action.args).some(({ roles }) => roles.includes('readsTree')));
  const silent = readers.filter(({ action }) => !('on_unreadable' in action.args)).map(({ about }) => about.name);
  expect([...new Set(silent)].filter((name) => OTHERS[name] === undefined)).toEqual([]);
  const asked = actions.filter(({ action }) => 'on_unreadable' in action.args);
  for (const { action } of asked) expect([action.name, Object.keys(action.args).at(-1)]).toEqual([action.name, 'on_unreadable']);
  expect([...new Set(asked.map(({ action }) => action.name))].sort()).toEqual(Object.keys(CALLS).sort());
});

describe.each(Object.entries(CALLS))('%s', (name, args) => {
  test('does the rest and fails, with what it did and what it could not', async () => {
    await using house = openScene();
    const { ok, results } = await asOrdinaryUser(house.dir.path, () => house.run([[name, args]]));
    const [outcome] = results;
    expect([ok, outcome?.status]).toEqual([false, 'failed']);
    expect(outcome?.error?.type).not.toBe('InternalException');
    expect(outcome?.error?.message).toMatch(/could not be .*Permission denied for .*; check its mode/);
    const summary = outcome?.error?.context.summary as {
      readonly failed: { path: string; reason: string }[];
      readonly failed_count: number;
    };
    expect(summary.failed_count).toBe(summary.failed.length);
    expect(summary.failed.map(({ path }) => path)).toContain(house.dir.at('s/locked'));
    for (const { path, reason } of summary.failed) expect(reason).toContain(path);
  });

  test('fails in its plan as in its run', async () => {
    for (const spoilt of ['s/locked', 's/d']) {
      await using house = openHouse({ files: TREE, logLevel: 'error' });
      chmodSync(house.dir.at(spoilt), 0o000);
      const run = (dry_run: boolean) => asOrdinaryUser(house.dir.path, () => house.run({ actions: [[name, args]], dry_run }));
      const [planned, done] = [await run(true), await run(false)];
      expect([spoilt, planned.results[0]?.error?.type]).toEqual([spoilt, done.results[0]?.error?.type]);
      chmodSync(house.dir.at(spoilt), 0o700);
    }
  });

  test('is ok without what it could not read when that is asked for, and says so', async () => {
    await using house = openScene();
    const { ok, results } = await asOrdinaryUser(house.dir.path, () => house.run([[name, { ...args, on_unreadable: 'skip' }]]));
    expect([ok, results[0]?.error]).toEqual([true, undefined]);
    expect(results[0]?.notes).toContainEqual(
      expect.objectContaining({ kind: 'unreadable', paths: expect.arrayContaining([house.dir.at('s/locked')]) }),
    );
  });

  test('fails for a directory that cannot be read at all, whatever is asked for', async () => {
    await using house = openScene();
    chmodSync(house.dir.at('s'), 0o000);
    const { results } = await asOrdinaryUser(house.dir.path, () => house.run([[name, { ...args, on_unreadable: 'skip' }]]));
    expect(results[0]).toMatchObject({ status: 'failed', error: { message: expect.stringContaining(house.dir.at('s')) } });
  });
});

test('names that are no text count as well', async () => {
  await using house = openHouse({ files: { 's/a': 'text' }, logLevel: 'error' });
  writeFileSync(Buffer.concat([Buffer.from(house.dir.at('s/bad')), Buffer.from([0xff])]), 'text');
  const { results } = await house.run([
    ['FA_fast_find', { root: 's' }],
    ['FA_write_manifest', { root: 's', manifest_path: 'm.json' }],
    ['FA_sync_dir', { src: 's', dst: 'd' }],
  ]);
  expect(results.map(({ error }) => error?.context.code)).toEqual(['EILSEQ', 'EILSEQ', 'EILSEQ']);
});

/** Which bytes stand where a name is. */
const named = (at: string, ...bytes: number[]) => Buffer.concat([Buffer.from(at), Buffer.from(bytes), Buffer.from('.txt')]);

describe.runIf(process.platform === 'linux').each(Object.entries(CALLS))('%s and names that are no text', (name, args) => {
  const openNamed = (): TestHouse => {
    const house = openHouse({
      files: { 's/a.txt': 'text', 's/d/b.txt': 'text', 's/d/x\uFFFD.txt': 'a text', 'flat/keep': '' },
      logLevel: 'error',
    });
    for (const byte of [0xfe, 0xff]) writeFileSync(named(house.dir.at('s/d/x'), byte), 'text');
    return house;
  };
  const RAW = ['s/d/x\\xfe.txt', 's/d/x\\xff.txt'];

  test('names each, and goes on without them where that is asked for: with all others, and with those that look alike', async () => {
    for (const dry_run of [false, true]) {
      await using house = openNamed();
      const { ok, results } = await house.run({ actions: [[name, { ...args, on_unreadable: 'skip' }]], dry_run });
      expect([name, dry_run, ok, results[0]?.error]).toEqual([name, dry_run, true, undefined]);
      if (results[0]?.status === 'planned' && results[0].notes === undefined) continue; // not looked at that closely
      expect(results[0]?.notes).toMatchObject([{ kind: 'unreadable', count: 2, paths: RAW.map((each) => house.dir.at(each)) }]);
    }
  });

  test('names each where it fails', async () => {
    await using house = openNamed();
    const [outcome] = (await house.run([[name, args]])).results;
    expect(outcome?.error).toMatchObject({
      context: { code: 'EILSEQ', summary: { failed_count: 2, failed: RAW.map((each) => ({ path: house.dir.at(each) })) } },
    });
    expect(outcome?.error?.message).toContain(`${house.dir.at(RAW[0] ?? '')} goes through a link or name that is not UTF-8`);
  });
});
