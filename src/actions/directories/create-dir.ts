import { defineAction } from '../../core/action.ts';
import { path } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import * as shapes from '../../core/shapes.ts';

const create = async ({ files }: Context, { dir_path }: { readonly dir_path: string }): Promise<boolean> => {
  await files.makeDir(dir_path, { parents: true });
  return true;
};

export const createDir = defineAction({
  name: 'FA_create_dir',
  summary: 'Creates a directory with its parents; an existing one is fine.',
  args: { dir_path: path('The directory to create.', { role: 'writes' }) },
  returns: shapes.flag(),
  idempotent: true,
  examples: [{ args: { dir_path: 'a/b/c' }, value: true }],
  plan: create,
  run: create,
});
