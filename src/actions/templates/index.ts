// Templates: two small languages over JSON values, neither of which can reach the program.
// The languages are in lib/template: read render.ts there first; liquid.ts is the sandbox, limits.ts says what a template may use up.
import { defineFamily } from '../../core/action.ts';
import { renderFile } from './render-file.ts';
import { renderString } from './render-string.ts';

export const templates = defineFamily({
  name: 'templates',
  group: 'text',
  summary: 'Templates: fill texts and files with values.',
  isApart: true,
  actions: [renderString, renderFile],
});
