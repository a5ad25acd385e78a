import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tempDir } from '../../support/temp-dir.ts';
import { openRecordedHouse } from '../undo/recorded-house.ts';
import { snapshot } from './snapshot.ts';
import { grow, trees } from './trees.ts';

/** All but the times of directories, which do not come back. */
const looks = (root: string): string[] => snapshot(root).map((line) => line.replace(/^(.*\/) ([0-7]+) \d+$/s, '$1 $2'));

const isSame = (one: readonly string[], other: readonly string[]): boolean => one.join('\n') === other.join('\n');

test.each([
  ['a synchronisation', ['FA_sync_dir', { src: 'left', dst: 'right', delete: true, max_delete_share: 1, tolerance_s: 0 }]],
  ['one by content that deletes nothing', ['FA_sync_dir', { src: 'left', dst: 'right', compare: 'checksum' }]],
  ['a tree that is merged', ['FA_copy_dir', { dir_path: 'left', target_dir_path: 'right' }]],
  ['a tree that is removed', ['FA_remove_dir_tree', { dir_path: 'right' }]],
  ['duplicates that became one file', ['FA_find_duplicates', { root: 'right', min_size: 0, apply: 'hardlink' }]],
])('%s is undone, whatever the trees', { timeout: 300_000 }, (_, command) =>
  fc.assert(
    fc.asyncProperty(trees, trees, async (left, right) => {
      using dir = tempDir();
      using state = tempDir();
      grow(dir.at('left'), left);
      grow(dir.at('right'), right);
      await using house = openRecordedHouse({ cwd: dir.path, stateDirectory: state.path });
      const before = looks(dir.path);
      const { run_id } = await house.run([command]);
      if (isSame(looks(dir.path), before)) return; // nothing to undo
      expect(await house.undoRun(run_id)).toMatchObject({ ok: true });
      expect(looks(dir.path)).toEqual(before);
    }),
    { numRuns: 25 },
  ),
);
