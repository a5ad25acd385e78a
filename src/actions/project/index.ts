// Lists in files: read, write, and a starter project.
import { defineFamily } from '../../core/action.ts';
import { readActionJson, writeActionJson } from './action-json.ts';
import { createProjectDir } from './create-project-dir.ts';

export const project = defineFamily({
  name: 'project',
  group: 'files',
  summary: 'Lists in files, and a starter project.',
  isApart: true,
  actions: [createProjectDir, readActionJson, writeActionJson],
});
