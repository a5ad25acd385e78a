// Two trees: making one like the other, telling their differences, replaying them. The machinery is lib/tree.
// Read sync-dir.ts first. Copying and removing whole trees is directories/; differences of texts are diff/.
import { defineFamily } from '../../core/action.ts';
import { applyDirDiff } from './apply-dir-diff.ts';
import { diffDirs } from './diff-dirs.ts';
import { syncDir } from './sync-dir.ts';

export const sync = defineFamily({
  name: 'sync',
  group: 'sync',
  summary: 'Two trees: mirror one into the other, compare them, replay their differences.',
  isApart: true,
  actions: [syncDir, diffDirs, applyDirDiff],
});
