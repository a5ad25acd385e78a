// One file at a time: create, read, copy, move, rename, remove, look at. Trees are in directories/, text edits in text/.
// Read copy-file.ts first: definition, plan and run over the file port.
import { defineFamily } from '../../core/action.ts';
import { copyAllFileToDir } from './copy-all-file-to-dir.ts';
import { copyFile } from './copy-file.ts';
import { copySpecifyExtensionFile } from './copy-specify-extension-file.ts';
import { createFile } from './create-file.ts';
import { moveFile } from './move-file.ts';
import { readFile } from './read-file.ts';
import { removeFile } from './remove-file.ts';
import { renameFile } from './rename-file.ts';
import { stat } from './stat.ts';

export const files = defineFamily({
  name: 'files',
  group: 'files',
  summary: 'Single files: create, read, copy, move, rename, remove.',
  isApart: true,
  actions: [createFile, copyFile, renameFile, removeFile, copyAllFileToDir, copySpecifyExtensionFile, readFile, stat, moveFile],
});
