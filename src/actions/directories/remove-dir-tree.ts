import { defineAction } from '../../core/action.ts';
import { path } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import { DirNotExistsException } from '../../core/errors.ts';
import { boolean } from '../../core/shapes.ts';

const remove = async ({ files, signal }: Context, { dir_path }: { readonly dir_path: string }): Promise<boolean> => {
  const look = () => files.stat(dir_path, { followLinks: false });
  if ((await look())?.kind !== 'dir') return false;
  try {
    await files.removeTree(dir_path, { signal });
    return true;
  } catch (fault) {
    // Somebody else was quicker.
    if (fault instanceof DirNotExistsException && (await look()) === undefined) return false;
    throw fault;
  }
};

export const removeDirTree = defineAction({
  name: 'FA_remove_dir_tree',
  summary: 'Deletes a directory with everything in it; tells whether there was one.',
  args: { dir_path: path('The directory to delete. A file or a link is left alone.', { role: 'removesTree' }) },
  returns: boolean(),
  idempotent: true,
  examples: [
    {
      files: { 's/a.txt': '1', 's/deep/b.txt': '2' },
      args: { dir_path: 's' },
      value: true,
      leaves: { 's/a.txt': null, 's/deep/b.txt': null },
    },
    { about: 'Nothing there is no failure.', args: { dir_path: 's' }, value: false },
  ],
  plan: remove,
  run: remove,
});
