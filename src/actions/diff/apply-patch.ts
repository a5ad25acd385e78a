import { defineAction } from '../../core/action.ts';
import { path, text } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import * as shapes from '../../core/shapes.ts';
import { editFile } from '../../lib/fs/edit-file.ts';
import { useDiff } from '../../lib/text/diff/use-diff.ts';
import { decodeFrom, inOurWords } from './read-text.ts';

interface ApplyPatchArgs {
  readonly target: string;
  readonly patch: string;
  readonly encoding: string;
}

const apply = (context: Context, { target: path, patch, encoding }: ApplyPatchArgs): Promise<boolean> => {
  const { files, signal, isLimited } = context;
  return inOurWords(files, path, { argument: 'target' }, () =>
    editFile(context, path, async (source, target) => {
      const { text: before, encoder } = await decodeFrom(source, { argument: 'target', encoding, path });
      const after = await useDiff({ kind: 'apply', text: before, patch }, { signal, isLimited, name: path });
      if (after !== before) await target.write(Buffer.concat([encoder.write(after), encoder.end()]));
      return { value: true, isChanged: after !== before };
    }),
  );
};

export const applyPatch = defineAction({
  name: 'FA_apply_patch',
  summary: 'Applies a unified diff to one file, whole or not at all.',
  args: {
    target: path('The file to change.', { role: ['reads', 'writes'] }),
    patch: text('The text of the diff; its lines must stand exactly where it says.', { isContent: true }),
    encoding: text('How the bytes of the file are read and written.', { default: 'utf-8' }),
  },
  returns: shapes.flag(),
  examples: [
    {
      files: { 'a.txt': 'one\ntwo\nthree\n' },
      args: { target: 'a.txt', patch: '--- a.txt\n+++ a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n' },
      value: true,
      leaves: { 'a.txt': 'one\n2\nthree\n' },
    },
  ],
  plan: apply,
  run: apply,
});
