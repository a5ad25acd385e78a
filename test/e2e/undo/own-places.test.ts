import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isOwnName, isOwnPlace, keptAsideName, ownDirectoryName } from '../../../src/lib/fs/own-names.ts';
import { newPartName } from '../../../src/lib/fs/part-name.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { canMountTmpfs, type Tmpfs, tmpfs } from '../../support/tmpfs.ts';
import { openRecordedHouse } from './recorded-house.ts';

const SECRET = 'what-was-deleted';

/** A file system of its own with files of which some were deleted, so that old ones are kept at its top. */
const openRoom = async (at: Tmpfs | undefined) => {
  const dir = tempDir({ 'out/keep': 'out' });
  const root = at?.path ?? dir.at('w');
  mkdirSync(join(root, 'd'), { recursive: true });
  for (const [name, content] of Object.entries({ a: 'mine', b: 'mine', 'd/c': 'deep', secret: SECRET, 'd/old': SECRET }))
    writeFileSync(join(root, name), content);
  // Where the state lies in the tree too, and somebody is writing.
  const stateDirectory = at === undefined ? join(root, 'state') : dir.at('state');
  writeFileSync(join(root, 'd', newPartName()), SECRET);
  const house = openRecordedHouse({ cwd: root, stateDirectory });
  mkdirSync(join(stateDirectory, ownDirectoryName('spool')), { recursive: true });
  writeFileSync(join(stateDirectory, ownDirectoryName('spool'), 'x.json'), JSON.stringify([SECRET]));
  const deleted = [
    await house.run([['FA_remove_file', { file_path: 'secret' }]]),
    await house.run([['FA_create_file', { file_path: 'd/old', content: 'new' }]]),
  ];
  return {
    root,
    dir,
    house,
    places: () => [root, stateDirectory].flatMap((path) => readdirSync(path).filter(isOwnPlace)),
    async undoAll() {
      for (const { run_id } of deleted.reverse()) expect(await house.undoRun(run_id)).toMatchObject({ status: 'ok' });
      return ['secret', 'd/old'].map((name) => readFileSync(join(root, name), 'utf8'));
    },
    async [Symbol.asyncDispose]() {
      await house[Symbol.asyncDispose]();
      dir[Symbol.dispose]();
    },
  };
};

/** Everything that looks around; `OUT` is a directory elsewhere. */
const LOOKERS: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['FA_grep', { root: '.', pattern: SECRET }],
  ['FA_fast_find', { root: '.', use_index: false }],
  ['FA_list_dir', { dir_path: '.', recursive: true }],
  ['FA_get_dir_files_as_list', { dir_path: '.' }],
  ['FA_find_duplicates', { root: '.', min_size: 0 }],
  ['FA_write_manifest', { root: '.', manifest_path: 'OUT/manifest' }],
  ['FA_diff_dirs', { left: 'OUT', right: '.' }],
  ['FA_sync_dir', { src: '.', dst: 'OUT/synced', delete: true }],
  ['FA_copy_dir', { dir_path: '.', target_dir_path: 'OUT/copied' }],
  ['FA_copy_specify_extension_file', { file_dir_path: '.', target_extension: 'json', target_path: 'OUT' }],
  ['FA_create_tar', { source: '.', target: 'OUT/packed.tar', compression: 'none' }],
  ['FA_zip_dir', { dir_we_want_to_zip: '.', zip_name: 'OUT/packed', level: 0 }],
  ['FA_rotate_backups', { directory: '.', keep_daily: 0, keep_weekly: 0, keep_monthly: 0, keep_last: 100, dry_run: true }],
];

const contentsBelow = (root: string): string =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .map((entry) => `${entry.name} ${entry.isFile() ? readFileSync(join(entry.parentPath, entry.name), 'latin1') : ''}`)
    .join('\n');

describe.each([
  ['on another file system', () => tmpfs()],
  ['in the state directory', () => undefined],
])('what we keep %s', (where, mount) => {
  const needsMount = where === 'on another file system';
  describe.skipIf(needsMount && !canMountTmpfs)(needsMount ? '(needs the right to mount a tmpfs)' : '', () => {
    test.each(LOOKERS)('is nothing to %s', async (action, args) => {
      using mounted = mount();
      await using room = await openRoom(mounted);
      const out = room.dir.at('out');
      const placed = Object.fromEntries(
        Object.entries(args).map(([key, value]) => [key, typeof value === 'string' ? value.replace('OUT', out) : value]),
      );
      const result = await room.house.factotum.run([[action, placed]]);
      expect(result.results[0]).toMatchObject({ status: 'ok' });
      const found = JSON.stringify(result.results[0]?.value ?? '') + contentsBelow(out);
      expect(found.replace(`"pattern":"${SECRET}"`, '')).not.toMatch(/\.factotum-|what-was-deleted/);
    });

    test('stays when a tree is mirrored over it, and the runs are undone', async () => {
      using mounted = mount();
      await using room = await openRoom(mounted);
      room.dir.write('out/only', 'this');
      const before = room.places();
      const mirrored = await room.house.run([['FA_sync_dir', { src: room.dir.at('out'), dst: '.', delete: true, exclude: ['state'] }]]);
      expect(mirrored).toMatchObject({ ok: true });
      expect(room.places()).toEqual(expect.arrayContaining(before));
      expect((await room.house.undoRun(mirrored.run_id)).results[0]).toMatchObject({ status: 'ok', value: { refused: [] } });
      expect(await room.undoAll()).toEqual([SECRET, SECRET]);
    });

    test('is no path that anybody may give, owners included', async () => {
      using mounted = mount();
      await using room = await openRoom(mounted);
      const place = join(mounted === undefined ? 'state' : '.', room.places().find((name) => name.includes('undo')) ?? '');
      for (const command of [
        ['FA_stat', { path: place }],
        ['FA_remove_dir_tree', { dir_path: place }],
        ['FA_grep', { root: place, pattern: 'x' }],
        ['FA_create_file', { file_path: `${place}/x`, content: '' }],
      ])
        expect((await room.house.factotum.run([command])).results[0]).toMatchObject({
          status: 'failed',
          error: { message: expect.stringContaining('is where factotum keeps its own files') },
        });
      expect(await room.undoAll()).toEqual([SECRET, SECRET]);
    });
  });
});

describe('a tree with what we keep in it', () => {
  test('is not removed, says why, and nothing of it is lost', async () => {
    await using room = await openRoom(undefined);
    const command = ['FA_remove_dir_tree', { dir_path: 'state' }];
    const { results } = await room.house.run([command]);
    expect(results[0]).toMatchObject({ status: 'failed', error: { message: expect.stringContaining('holds what it takes to undo runs') } });
    expect((await room.house.run({ actions: [command], dry_run: true })).results[0]?.error).toEqual(results[0]?.error);
    // Without a history nobody measures the tree first.
    const bare = await (await import('../../../src/app/create.ts')).createInstance({ cwd: room.root, log: { level: 'silent' } });
    for (const dry_run of [true, false])
      expect((await bare.run({ actions: [command], dry_run })).results[0]).toMatchObject({
        status: 'failed',
        error: { type: 'FileAccessException', context: { code: 'EKEPT' } },
      });
    await bare.close();
    expect(await room.undoAll()).toEqual([SECRET, SECRET]);
  });

  test('is not moved either', async () => {
    await using room = await openRoom(undefined);
    const command = ['FA_rename_dir', { origin_dir_path: 'state', target_dir: 'elsewhere' }];
    const { results } = await room.house.run([command]);
    expect((await room.house.run({ actions: [command], dry_run: true })).results[0]?.error).toEqual(results[0]?.error);
    expect(results[0]).toMatchObject({ status: 'failed', error: { message: expect.stringContaining('holds what it takes to undo runs') } });
    expect(existsSync(join(room.root, 'state'))).toBe(true);
    expect(await room.undoAll()).toEqual([SECRET, SECRET]);
  });
});

describe('a name', () => {
  const id = '0123456789abcdef0123456789abcdef';

  test.each([newPartName(), keptAsideName(), keptAsideName('/x'), ownDirectoryName('spool'), ownDirectoryName('journals')])(
    'of ours is known: %s',
    (name) => expect(isOwnName(name)).toBe(true),
  );

  test.each([
    '.factotum-undo-0',
    '.factotum-undo-notes',
    '.factotum-spool',
    '.factotum.part',
    `.factotum-${id}.part`,
    `.factotum-undo-0-${id}.txt`,
    `x.factotum-undo-0-${id}`,
    `.factotum-undo-0-${id.slice(1)}`,
    `.factotum-undo-0-${id.toUpperCase()}`,
    `${newPartName()}.bak`,
    'spool',
    'undo',
  ])('that only looks alike is a user’s, who sees it: %s', async (name) => {
    using dir = tempDir({ [`d/${name}`]: 'mine' });
    expect(isOwnName(name)).toBe(false);
    await using house = openRecordedHouse({ cwd: dir.path, stateDirectory: dir.at('state') });
    expect((await house.run([['FA_fast_find', { root: 'd', use_index: false }]])).results[0]?.value).toEqual([dir.at(`d/${name}`)]);
  });
});
