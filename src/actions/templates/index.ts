// Templates: two small languages over JSON values, neither of which can reach the program. limits.ts says what a template may use up.
// Read render.ts first; liquid.ts is the sandbox.
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
