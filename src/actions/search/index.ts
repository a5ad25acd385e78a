// Finding files by name and by content. Listing by extension is discovery/.
import { defineFamily } from '../../core/action.ts';
import { fastFind } from './fast-find.ts';
import { grep } from './grep.ts';
import { hasOsIndex } from './has-os-index.ts';

export const search = defineFamily({
  name: 'search',
  group: 'search',
  summary: 'Files by name and by content.',
  isApart: true,
  actions: [fastFind, grep, hasOsIndex],
});
