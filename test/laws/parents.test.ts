import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Example } from '../../src/core/example.ts';
import { openRecordedHouse } from '../e2e/undo/recorded-house.ts';
import { tempDir } from '../support/temp-dir.ts';
import { loadActions } from './all-actions.ts';

// One rule for everything that is written somewhere: directories missing on the way are made, the plan names them, undoing removes them.

/** Writing arguments to which the rule cannot apply, and why. */
const OTHERWISE: Readonly<Record<string, string>> = {
  'FA_create_file file_path': 'its directory must exist, which the reference demands',
  'FA_copy_all_file_to_dir target_dir_path': 'the directory must exist, which the reference demands',
  'FA_lock_refresh db_path': 'a lock is extended where it was taken',
  'FA_lock_release db_path': 'a lock is given back where it was taken',
  'FA_queue_dequeue db_path': 'looking for work makes no queue',
  'FA_queue_nack db_path': 'an item is given back where it was claimed',
  'FA_rename_file origin_file_path': 'files are renamed where they are',
  'FA_version_restore path': 'a file comes back to where it was',
  'FA_write_action_json json_save_path': 'its directory must exist, which the reference demands',
};
/** They change entries of a store: what is made for it stays. */
const IN_A_STORE = /^FA_(?:lock|queue|with_lock|with_file_lock)/;

const directories = ['new', 'new/deep', 'new/deep/dir'];

for (const { about, action } of await loadActions()) {
  if (about.effects.includes('network') || about.effects.includes('executes')) continue;
  for (const [argument, { roles }] of Object.entries(action.args)) {
    const isTarget = roles.some((role) => role === 'writes' || role === 'writesTree') && !roles.includes('reads');
    const example = action.examples.find(({ args }) => typeof args[argument] === 'string');
    if (!isTarget || `${about.name} ${argument}` in OTHERWISE) continue;
    describe(`${about.name} ${argument}`, () => {
      test('has an example', () => expect(example).toBeDefined());
      test('makes the directories on the way, says so before, and takes them back', () => makesParents(about.name, argument, example));
    });
  }
}

test('no exception is kept for nothing', async () => {
  const known = (await loadActions()).flatMap(({ about, action }) => Object.keys(action.args).map((each) => `${about.name} ${each}`));
  expect(Object.keys(OTHERWISE).filter((each) => !known.includes(each))).toEqual([]);
});

const makesParents = async (name: string, argument: string, example: Example | undefined): Promise<void> => {
  if (example === undefined) return;
  using dir = tempDir();
  setUp(dir.at('w'), example, (path, content) => dir.write(join('w', path), content));
  await using house = openRecordedHouse({ cwd: dir.at('w'), stateDirectory: dir.at('state') });
  await house.factotum.run(example.after ?? []);
  const args = { ...example.args, [argument]: `new/deep/dir/${example.args[argument]}` };
  const {
    results: [planned],
  } = await house.factotum.run({ actions: [[name, args]], dry_run: true });
  expect(planned?.error).toBeUndefined();
  expect(existsSync(dir.at('w/new'))).toBe(false);
  const created = planned?.plan?.effects.flatMap(({ kind, target }) => (kind === 'create' ? [target] : []));
  if (planned?.plan?.complete !== false)
    expect(created).toEqual(expect.arrayContaining(directories.map((each) => dir.at(join('w', each)))));
  const { run_id, results } = await house.run([[name, args]]);
  expect(results[0]?.error).toBeUndefined();
  expect(existsSync(dir.at('w/new/deep/dir'))).toBe(true);
  if (IN_A_STORE.test(name)) return;
  expect(await house.undoRun(run_id)).toMatchObject({ status: 'ok' });
  expect(existsSync(dir.at('w/new'))).toBe(false);
};

const setUp = (root: string, { files = {}, dirs = [], links = {} }: Example, write: (path: string, content: string | Buffer) => void) => {
  mkdirSync(root);
  for (const [path, content] of Object.entries(files))
    write(path, typeof content === 'string' ? content : Buffer.from(content.base64, 'base64'));
  for (const path of dirs) mkdirSync(join(root, path), { recursive: true });
  for (const [path, target] of Object.entries(links)) symlinkSync(target, join(root, path));
};
