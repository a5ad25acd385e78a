import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, linkSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tempDir } from '../../support/temp-dir.ts';
import { canMountTmpfs, tmpfs } from '../../support/tmpfs.ts';
import { canSetAttributes, portraitOf } from '../../support/tree-portrait.ts';
import { openRecordedHouse } from './recorded-house.ts';

const hasAttributes = (() => {
  using dir = tempDir();
  return canSetAttributes(dir.path);
})();

/** A file system in memory that knows owners, modes and times, but no attributes. */
const openPoorDevice = () => {
  const room = tmpfs();
  const path = join(room.path, 'ram');
  mkdirSync(path);
  execFileSync('mount', ['-t', 'ramfs', 'ramfs', path]);
  chmodSync(path, 0o777);
  return {
    path,
    [Symbol.dispose]() {
      execFileSync('umount', ['-l', path]);
      room[Symbol.dispose]();
    },
  };
};

const openScene = (maxBytes = 1e9) => {
  const dir = tempDir({ 'w/d/a': '1', 'w/d/e/b': '22', 'w/f': '333' });
  execFileSync('setfattr', ['-n', 'user.note', '-v', 'x', dir.at('w/d/a'), dir.at('w/f')]);
  execFileSync('setfacl', ['-m', 'u:12345:rw', dir.at('w/d/e/b')]);
  linkSync(dir.at('w/d/a'), dir.at('w/d/twin'));
  const poor = openPoorDevice();
  const house = openRecordedHouse({ cwd: dir.at('w'), stateDirectory: dir.at('state'), maxBytes });
  const list = [
    ['FA_rename_dir', { origin_dir_path: 'd', target_dir: join(poor.path, 'd') }],
    ['FA_move_file', { file_path: 'f', target_path: join(poor.path, 'f') }],
  ];
  return {
    dir,
    poor: poor.path,
    look: () => portraitOf(dir.at('w'), ['d', 'f']),
    run: () => house.run(list),
    undoRun: house.undoRun,
    async [Symbol.asyncDispose]() {
      await house[Symbol.asyncDispose]();
      poor[Symbol.dispose]();
      dir[Symbol.dispose]();
    },
  };
};

describe.skipIf(!canMountTmpfs || !hasAttributes)(
  'what went to a device without attributes (needs the right to mount, attr and acl)',
  () => {
    test('is told with what it lost, and comes back with it', async () => {
      await using scene = openScene();
      const before = scene.look();
      const { run_id, ok, results } = await scene.run();
      expect([ok, results.map(({ notes = [] }) => notes.map(({ kind }) => kind))]).toEqual([
        true,
        [['attributes_lost'], ['attributes_lost']],
      ]);
      expect([readdirSync(scene.dir.at('w')), readdirSync(scene.poor).sort()]).toEqual([[], ['d', 'f']]);
      const undone = await scene.undoRun(run_id);
      expect([undone.results[0]?.error, undone.results[0]?.notes]).toEqual([undefined, undefined]);
      expect([scene.look(), readdirSync(scene.poor)]).toEqual([before, []]);
    });

    test('comes back beside what somebody has made of it there', async () => {
      await using scene = openScene();
      const before = scene.look();
      const { run_id } = await scene.run();
      for (const name of ['f', 'd/e/b']) appendFileSync(join(scene.poor, name), 'more');
      const undone = await scene.undoRun(run_id);
      const reason = 'it was changed since';
      expect(undone.results[0]?.value).toMatchObject({ refused: ['f', 'd'].map((name) => ({ path: join(scene.poor, name), reason })) });
      expect([scene.look(), readFileSync(join(scene.poor, 'f'), 'utf8')]).toEqual([before, '333more']);
    });

    test('comes back without it where nothing may be kept, and that is said', async () => {
      await using scene = openScene(0);
      const { run_id, results } = await scene.run();
      expect(results.map(({ notes = [] }) => notes.map(({ kind }) => kind))).toEqual([
        ['attributes_lost', 'not_undoable'],
        ['attributes_lost', 'not_undoable'],
      ]);
      const undone = await scene.undoRun(run_id);
      expect(undone.results[0]?.value).toMatchObject({ refused: ['f', 'd'].map((name) => ({ path: scene.dir.at(`w/${name}`) })) });
      expect([scene.dir.read('w/f'), scene.dir.read('w/d/twin'), readdirSync(scene.poor)]).toEqual(['333', '1', []]);
    });
  },
);
