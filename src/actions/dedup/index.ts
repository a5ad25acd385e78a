// Files with the same content. Copies that a store keeps by their content are content-store/.
import { defineFamily } from '../../core/action.ts';
import { findDuplicateFiles } from './find-duplicates.ts';
import { replaceDuplicate } from './replace-duplicate.ts';

export const dedup = defineFamily({
  name: 'dedup',
  group: 'search',
  summary: 'Files with the same content: find and replace.',
  isApart: true,
  actions: [findDuplicateFiles, replaceDuplicate],
});
