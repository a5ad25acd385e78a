import { defineAction } from '../../core/action.ts';
import { integer, path, text } from '../../core/args.ts';
import { DiffException } from '../../core/errors.ts';
import * as shapes from '../../core/shapes.ts';
import { useDiff } from '../../lib/text/diff/use-diff.ts';
import { readText } from './read-text.ts';

export const diffFiles = defineAction({
  name: 'FA_diff_files',
  summary: 'Tells the difference of two text files as a unified diff, empty when they are equal.',
  args: {
    left: path('The old file.', { role: 'reads', wrong: DiffException }),
    right: path('The new file.', { role: 'reads', wrong: DiffException }),
    context: integer('Unchanged lines shown around a change.', { default: 3, min: 0 }),
    encoding: text('How the bytes of both files are read.', { default: 'utf-8' }),
  },
  returns: shapes.text(),
  question: { no: 'the files differ', isNo: (difference) => difference !== '' },
  idempotent: true,
  examples: [
    {
      files: { 'old.txt': 'one\ntwo\nthree\n', 'new.txt': 'one\n2\nthree\n' },
      args: { left: 'old.txt', right: 'new.txt' },
      value: '--- old.txt\n+++ new.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n',
    },
  ],
  async plan({ files }, { left, right, encoding }) {
    await readText(files, left, { argument: 'left', encoding });
    await readText(files, right, { argument: 'right', encoding });
  },
  async run({ files, signal, isLimited }, { left, right, context, encoding }) {
    const old = await readText(files, left, { argument: 'left', encoding });
    const now = await readText(files, right, { argument: 'right', encoding });
    const options = { context, leftName: left, rightName: right };
    return useDiff({ kind: 'compare', left: old.text, right: now.text, options }, { signal, isLimited, name: left });
  },
});
