import { defineAction } from '../../core/action.ts';
import { path } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import * as shapes from '../../core/shapes.ts';
import { moveEntry } from '../../lib/fs/move-entry.ts';
import { demandDir } from './demand-dir.ts';

interface RenameDirArgs {
  readonly origin_dir_path: string;
  readonly target_dir: string;
}

const rename = async (ctx: Context, { origin_dir_path, target_dir }: RenameDirArgs): Promise<boolean> => {
  const source = await demandDir(ctx.files, origin_dir_path, 'origin_dir_path');
  await moveEntry(ctx, { from: source.path, to: target_dir });
  return true;
};

export const renameDir = defineAction({
  name: 'FA_rename_dir',
  summary: 'Renames or moves a directory; an existing empty target is replaced.',
  args: {
    origin_dir_path: path('The directory to rename.', { role: 'removesTree' }),
    target_dir: path('Its new path.', { role: 'writesTree' }),
  },
  returns: shapes.flag(),
  examples: [
    {
      files: { 's/a.txt': '1' },
      args: { origin_dir_path: 's', target_dir: 't' },
      value: true,
      leaves: { 's/a.txt': null, 't/a.txt': '1' },
    },
  ],
  plan: rename,
  run: rename,
});
