import { defineAction } from '../../core/action.ts';
import { oneOf, path } from '../../core/args.ts';
import { ON_CONFLICT, type OnConflict, putSettled } from '../../core/conflict.ts';
import type { Context } from '../../core/context.ts';
import * as shapes from '../../core/shapes.ts';
import { moveEntry } from '../../lib/fs/move-entry.ts';
import { demandFile } from './demand-file.ts';

interface MoveFileArgs {
  readonly file_path: string;
  readonly target_path: string;
  readonly on_conflict: OnConflict;
}

const move = async (ctx: Context, { file_path, target_path, on_conflict }: MoveFileArgs): Promise<string> => {
  const { files } = ctx;
  const source = await demandFile(files, file_path);
  const target = await files.targetFor(target_path, source.name);
  const put = (to: string, how: { readonly exclusive: boolean }) => moveEntry(ctx, { from: source.path, to }, how);
  return (await putSettled(ctx, { target, policy: on_conflict, source }, put)) ?? target;
};

export const moveFile = defineAction({
  name: 'FA_move_file',
  summary: 'Moves or renames one file, also to another device.',
  args: {
    file_path: path('The file to move.', { role: ['reads', 'removes'] }),
    target_path: path('Where it goes; an existing directory keeps the name.', { role: 'writes' }),
    on_conflict: oneOf('What to do when the target exists.', ON_CONFLICT, { default: 'error' }),
  },
  returns: shapes.text(),
  examples: [{ files: { 'a.txt': 'hi' }, args: { file_path: 'a.txt', target_path: 'b.txt' }, leaves: { 'a.txt': null, 'b.txt': 'hi' } }],
  plan: move,
  run: move,
});
