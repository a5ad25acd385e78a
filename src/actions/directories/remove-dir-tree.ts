import { defineAction } from '../../core/action.ts';
import { path } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import { FileAccessException } from '../../core/errors.ts';
import * as shapes from '../../core/shapes.ts';
import { conclude } from '../../lib/partial/conclude.ts';
import { addFailure, noFailures } from '../../lib/partial/failures.ts';

const remove = async ({ files, signal, note }: Context, { dir_path }: { readonly dir_path: string }): Promise<boolean> => {
  const look = () => files.stat(dir_path, { followLinks: false });
  const entry = await look();
  if (entry !== undefined && entry.kind !== 'dir') {
    // The catalogue wants false here; whoever asked must not take it for an empty place.
    const path = files.absolute(dir_path);
    note({ kind: 'left_alone', message: `${path} is no directory and was left alone; FA_remove_file removes it.`, path });
  }
  if (entry?.kind !== 'dir') return false;
  const failed = noFailures();
  try {
    await files.removeTree(dir_path, { signal, onLeft: (path, fault) => addFailure(failed, path, fault) });
  } catch (fault) {
    // Somebody else was quicker, perhaps in the middle of it.
    if (!signal.aborted && (await look()) === undefined) return false;
    throw fault;
  }
  return conclude({ note }, { value: failed.count === 0, failed, what: 'could not be removed', as: FileAccessException });
};

export const removeDirTree = defineAction({
  name: 'FA_remove_dir_tree',
  summary: 'Deletes a directory with everything in it; tells whether there was one.',
  args: { dir_path: path('The directory to delete. A file or a link is left alone.', { role: 'removesTree' }) },
  returns: shapes.flag(),
  idempotent: true,
  examples: [
    {
      files: { 's/a.txt': '1', 's/deep/b.txt': '2' },
      args: { dir_path: 's' },
      value: true,
      leaves: { 's/a.txt': null, 's/deep/b.txt': null },
    },
    { about: 'Nothing there is no failure.', args: { dir_path: 's' }, value: false },
    { about: 'A file stays, with a note.', files: { s: 'x' }, args: { dir_path: 's' }, value: false, leaves: { s: 'x' } },
  ],
  plan: remove,
  run: remove,
});
