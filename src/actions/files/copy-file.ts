import { defineAction } from '../../core/action.ts';
import { flag, oneOf, path } from '../../core/args.ts';
import { ON_CONFLICT, type OnConflict, putSettled } from '../../core/conflict.ts';
import type { Context } from '../../core/context.ts';
import * as shapes from '../../core/shapes.ts';
import { demandFile } from './demand-file.ts';

interface CopyFileArgs {
  readonly file_path: string;
  readonly target_path: string;
  readonly copy_metadata: boolean;
  readonly on_conflict: OnConflict;
}

const copy = async (ctx: Context, { file_path, target_path, copy_metadata, on_conflict }: CopyFileArgs): Promise<boolean> => {
  const { files, signal } = ctx;
  const source = await demandFile(files, file_path);
  const target = await files.targetFor(target_path, source.name);
  const put = (to: string, { exclusive }: { readonly exclusive: boolean }) =>
    files.copy(source.path, to, { keepMetadata: copy_metadata, signal, exclusive });
  return (await putSettled(ctx, { target, policy: on_conflict, source }, put)) !== undefined;
};

export const copyFile = defineAction({
  name: 'FA_copy_file',
  summary: 'Copies one file.',
  args: {
    file_path: path('The file to copy.', { role: 'reads' }),
    target_path: path('Where the copy goes; an existing directory keeps the name.', { role: 'writes' }),
    copy_metadata: flag('Keep time and mode.', { default: true }),
    on_conflict: oneOf('What to do when the target exists.', ON_CONFLICT, { default: 'overwrite' }),
  },
  returns: shapes.flag(),
  idempotent: true,
  examples: [
    { files: { 'a.txt': 'hi' }, args: { file_path: 'a.txt', target_path: 'b.txt' }, value: true, leaves: { 'a.txt': 'hi', 'b.txt': 'hi' } },
    {
      about: 'An existing directory as target keeps the name.',
      files: { 'a.txt': 'hi' },
      dirs: ['backup'],
      args: { file_path: 'a.txt', target_path: 'backup' },
      value: true,
      leaves: { 'backup/a.txt': 'hi' },
    },
  ],
  plan: copy,
  run: copy,
});
