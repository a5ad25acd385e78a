import { defineAction } from '../../core/action.ts';
import { flag, oneOf, path } from '../../core/args.ts';
import { makeWay, ON_CONFLICT, type OnConflict, settleConflict } from '../../core/conflict.ts';
import type { Context } from '../../core/context.ts';
import { boolean } from '../../core/shapes.ts';
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
  const target = await settleConflict(files, await files.targetFor(target_path, source.name), on_conflict, source);
  if (target === undefined) return false;
  if (on_conflict === 'trash') await makeWay(ctx, target);
  await files.copy(source.path, target, {
    keepMetadata: copy_metadata,
    signal,
    exclusive: on_conflict === 'error' || on_conflict === 'rename',
  });
  return true;
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
  returns: boolean(),
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
