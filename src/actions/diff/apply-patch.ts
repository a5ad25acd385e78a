import { defineAction } from '../../core/action.ts';
import { path, text } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import { boolean } from '../../core/shapes.ts';
import { applyPatch as patched } from '../../lib/text/diff/apply-patch.ts';
import { readText } from './read-text.ts';

interface ApplyPatchArgs {
  readonly target: string;
  readonly patch: string;
  readonly encoding: string;
}

const apply = async ({ files, signal }: Context, { target, patch, encoding }: ApplyPatchArgs): Promise<boolean> => {
  const { text: before, encoder } = await readText(files, target, { argument: 'target', encoding });
  const after = patched(before, patch);
  if (after !== before) await files.write(target, Buffer.concat([encoder.write(after), encoder.end()]), { signal });
  return true;
};

export const applyPatch = defineAction({
  name: 'FA_apply_patch',
  summary: 'Applies a unified diff to one file, whole or not at all.',
  args: {
    target: path('The file to change.', { role: ['reads', 'writes'] }),
    patch: text('The text of the diff; its lines must stand exactly where it says.'),
    encoding: text('How the bytes of the file are read and written.', { default: 'utf-8' }),
  },
  returns: boolean(),
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
