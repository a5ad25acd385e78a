// Directories and whole trees: create, copy, rename, remove, list. Synchronising and comparing trees is sync/.
// Read copy-dir.ts first.
import { defineFamily } from '../../core/action.ts';
import { copyDir } from './copy-dir.ts';
import { createDir } from './create-dir.ts';
import { listDir } from './list-dir.ts';
import { removeDirTree } from './remove-dir-tree.ts';
import { renameDir } from './rename-dir.ts';

export const directories = defineFamily({
  name: 'directories',
  group: 'files',
  summary: 'Directories and trees: create, copy, rename, remove, list.',
  isApart: true,
  actions: [copyDir, createDir, removeDirTree, renameDir, listDir],
});
