// Finding files by extension, as project scripts do. Searching by pattern and content is search/.
import { defineFamily } from '../../core/action.ts';
import { getDirFilesAsList } from './get-dir-files-as-list.ts';

export const discovery = defineFamily({
  name: 'discovery',
  group: 'files',
  summary: 'Files below a directory by extension.',
  isApart: true,
  actions: [getDirFilesAsList],
});
