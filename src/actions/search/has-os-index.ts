import { defineAction } from '../../core/action.ts';
import * as shapes from '../../core/shapes.ts';
import { findOsIndex } from '../../lib/search/index/os-index.ts';

export const hasOsIndex = defineAction({
  name: 'FA_has_os_index',
  summary: 'Names the search index of this system that FA_fast_find can ask, or null where there is none.',
  args: {},
  returns: shapes.nullable(shapes.text()),
  idempotent: true,
  examples: [{ about: 'plocate, locate, mdfind or es.', args: {} }],
  run: () => findOsIndex()?.name ?? null,
});
