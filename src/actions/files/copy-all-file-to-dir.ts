import { join } from 'node:path';
import { defineAction } from '../../core/action.ts';
import { path } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import { DirNotExistsException } from '../../core/errors.ts';
import type { Entry, FilePort } from '../../core/files.ts';
import * as shapes from '../../core/shapes.ts';
import { moveEntry } from '../../lib/fs/move-entry.ts';

interface MoveDirArgs {
  readonly dir_path: string;
  readonly target_dir_path: string;
}

const demandDir = async (files: FilePort, path: string, argument: keyof MoveDirArgs): Promise<Entry> => {
  const entry = await files.stat(path);
  if (entry?.kind === 'dir') return entry;
  const shown = files.absolute(path);
  throw new DirNotExistsException(`No directory is at ${shown}; check the path.`, { context: { argument, path: shown } });
};

const moveInto = async (ctx: Context, { dir_path, target_dir_path }: MoveDirArgs): Promise<boolean> => {
  const source = await demandDir(ctx.files, dir_path, 'dir_path');
  const target = await demandDir(ctx.files, target_dir_path, 'target_dir_path');
  await moveEntry(ctx, { from: source.path, to: join(target.path, source.name) }, { exclusive: true });
  return true;
};

export const copyAllFileToDir = defineAction({
  name: 'FA_copy_all_file_to_dir',
  summary: 'Moves a whole directory into another existing directory.',
  args: {
    dir_path: path('The directory to move.', { role: 'removesTree' }),
    target_dir_path: path('The directory it goes into, under its own name.', { role: 'writesTree' }),
  },
  returns: shapes.flag(),
  examples: [
    {
      files: { 'src/a.txt': '1' },
      dirs: ['archive'],
      args: { dir_path: 'src', target_dir_path: 'archive' },
      value: true,
      leaves: { 'src/a.txt': null, 'archive/src/a.txt': '1' },
    },
  ],
  plan: moveInto,
  run: moveInto,
});
