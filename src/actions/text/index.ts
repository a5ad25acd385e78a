// Text files as wholes: cut, join, convert, count, replace. Differences and patches are in diff/, templates in templates/.
// Read sed-replace.ts first: a stream of bytes becomes text, is changed and becomes bytes again.
import { defineFamily } from '../../core/action.ts';
import { encodingConvert } from './encoding-convert.ts';
import { fileMerge } from './file-merge.ts';
import { fileSplit } from './file-split.ts';
import { lineCount } from './line-count.ts';
import { sedReplace } from './sed-replace.ts';

export const text = defineFamily({
  name: 'text',
  group: 'text',
  summary: 'Text files: cut, join, convert, count lines, replace.',
  isApart: true,
  actions: [fileSplit, fileMerge, encodingConvert, lineCount, sedReplace],
});
