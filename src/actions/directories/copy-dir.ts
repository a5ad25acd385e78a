import { defineAction } from '../../core/action.ts';
import { path } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import { FileAccessException } from '../../core/errors.ts';
import { type OnUnreadable, onUnreadable } from '../../core/on-unreadable.ts';
import * as shapes from '../../core/shapes.ts';
import { createBypass } from '../../lib/partial/bypass.ts';
import { conclude } from '../../lib/partial/conclude.ts';
import { noteSpecial } from '../../lib/partial/note-special.ts';
import { demandDir } from './demand-dir.ts';

interface CopyDirArgs {
  readonly dir_path: string;
  readonly target_dir_path: string;
  readonly on_unreadable: OnUnreadable;
}

const copy = async (ctx: Context, { dir_path, target_dir_path, on_unreadable }: CopyDirArgs): Promise<boolean> => {
  const { files, signal } = ctx;
  const source = await demandDir(files, dir_path, 'dir_path');
  const bypass = createBypass();
  const special: string[] = [];
  let specialCount = 0;
  const onSpecial = (count: number, paths: readonly string[]) => {
    specialCount += count;
    special.push(...paths);
  };
  await files.copyTree(source.path, target_dir_path, { keepMetadata: true, bypass, onSpecial, signal });
  noteSpecial(ctx, specialCount, special);
  return conclude(ctx, {
    value: true,
    ...bypass.passed(),
    onUnreadable: on_unreadable,
    what: 'could not be copied',
    as: FileAccessException,
  });
};

export const copyDir = defineAction({
  name: 'FA_copy_dir',
  summary: 'Copies a directory tree; an existing target is merged into, links are copied as links.',
  args: {
    dir_path: path('The directory to copy.', { role: 'readsTree' }),
    target_dir_path: path('The directory that gets its content; made when missing.', { role: 'writesTree' }),
    on_unreadable: onUnreadable(),
  },
  returns: shapes.flag(),
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
