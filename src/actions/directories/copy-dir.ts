import { defineAction } from '../../core/action.ts';
import { path } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import { boolean } from '../../core/shapes.ts';
import { demandDir } from './demand-dir.ts';

interface CopyDirArgs {
  readonly dir_path: string;
  readonly target_dir_path: string;
}

const copy = async ({ files, signal }: Context, { dir_path, target_dir_path }: CopyDirArgs): Promise<boolean> => {
  const source = await demandDir(files, dir_path, 'dir_path');
  await files.copyTree(source.path, target_dir_path, { keepMetadata: true, signal });
  return true;
};

export const copyDir = defineAction({
  name: 'FA_copy_dir',
  summary: 'Copies a directory tree; an existing target is merged into, links are copied as links.',
  args: {
    dir_path: path('The directory to copy.', { role: 'readsTree' }),
    target_dir_path: path('The directory that gets its content; made when missing.', { role: 'writesTree' }),
  },
  returns: boolean(),
  idempotent: true,
  examples: [
    {
      files: { 's/a.txt': '1', 's/deep/b.txt': '2' },
      args: { dir_path: 's', target_dir_path: 't' },
      value: true,
      leaves: { 't/a.txt': '1', 't/deep/b.txt': '2', 's/a.txt': '1' },
    },
    {
      about: 'Merging: equal names are replaced, others stay.',
      files: { 's/a.txt': 'new', 't/a.txt': 'old', 't/keep.txt': 'k' },
      args: { dir_path: 's', target_dir_path: 't' },
      value: true,
      leaves: { 't/a.txt': 'new', 't/keep.txt': 'k' },
    },
  ],
  plan: copy,
  run: copy,
});
