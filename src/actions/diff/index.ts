// Differences of text files, and patches that carry them. Trees are compared elsewhere.
// Read apply-patch.ts first; the craft itself is in lib/text/diff.
import { defineFamily } from '../../core/action.ts';
import { applyPatch } from './apply-patch.ts';
import { diffFiles } from './diff-files.ts';

export const diff = defineFamily({
  name: 'diff',
  group: 'text',
  summary: 'Differences: compare text files, apply patches.',
  isApart: true,
  actions: [diffFiles, applyPatch],
});
