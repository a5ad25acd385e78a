import { defineAction } from '../../core/action.ts';
import { path } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import { FileNotExistsException } from '../../core/errors.ts';
import * as shapes from '../../core/shapes.ts';

const remove = async ({ files, note }: Context, { file_path }: { readonly file_path: string }): Promise<boolean> => {
  const look = () => files.stat(file_path, { followLinks: false });
  const entry = await look();
  if (entry === undefined) return false;
  if (entry.kind === 'dir') {
    // The catalogue wants false here; whoever asked must not take it for an empty place.
    const path = files.absolute(file_path);
    note({ kind: 'left_alone', message: `${path} is a directory and was left alone; FA_remove_dir_tree removes it.`, path });
    return false;
  }
  try {
    await files.remove(file_path);
    return true;
  } catch (fault) {
    // Somebody else was quicker.
    if (fault instanceof FileNotExistsException && (await look()) === undefined) return false;
    throw fault;
  }
};

export const removeFile = defineAction({
  name: 'FA_remove_file',
  summary: 'Deletes one file or link; tells whether there was one.',
  args: { file_path: path('The file to delete. A directory is left alone; of a link only the link goes.', { role: 'removes' }) },
  returns: shapes.flag(),
  idempotent: true,
  examples: [
    { files: { 'old.log': 'x' }, args: { file_path: 'old.log' }, value: true, leaves: { 'old.log': null } },
    { about: 'Nothing there is no failure.', args: { file_path: 'old.log' }, value: false },
    { about: 'A directory stays, with a note.', files: { 'd/a': 'x' }, args: { file_path: 'd' }, value: false, leaves: { 'd/a': 'x' } },
  ],
  plan: remove,
  run: remove,
});
