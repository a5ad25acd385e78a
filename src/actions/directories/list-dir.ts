import { join } from 'node:path';
import { defineAction } from '../../core/action.ts';
import { flag, path } from '../../core/args.ts';
import { FileAccessException } from '../../core/errors.ts';
import { onUnreadable } from '../../core/on-unreadable.ts';
import * as shapes from '../../core/shapes.ts';
import { watched } from '../../lib/fs/watched.ts';
import { conclude } from '../../lib/partial/conclude.ts';
import { coverTree } from '../../lib/partial/cover-tree.ts';
import { failuresOf } from '../../lib/search/unreadable.ts';
import { describeTree } from '../../lib/tree/describe-tree.ts';
import { demandDir } from './demand-dir.ts';

const UNREAD = { what: 'could not be read', as: FileAccessException } as const;

export const listDir = defineAction({
  name: 'FA_list_dir',
  summary: 'Lists the entries of a directory, sorted by name.',
  args: {
    dir_path: path('The directory to list.', { role: 'readsTree', default: '.' }),
    recursive: flag('Everything below it too; links are listed, not entered.', { default: false }),
    on_unreadable: onUnreadable(),
  },
  returns: shapes.list(
    shapes.object({
      name: shapes.text(),
      path: shapes.text(),
      type: shapes.oneOf(['file', 'dir', 'link', 'other']),
      size: shapes.integer(),
      modified_at: shapes.text(),
    }),
  ),
  idempotent: true,
  examples: [{ files: { 'd/a.txt': 'hi' }, args: { dir_path: 'd' } }],
  async plan(ctx, { dir_path, recursive, on_unreadable }) {
    const { path: root } = await demandDir(ctx.files, dir_path, 'dir_path');
    await coverTree(ctx, { root, isDeep: recursive, onUnreadable: on_unreadable, ...UNREAD });
  },
  async run(ctx, { dir_path, recursive, on_unreadable }) {
    const { path: root } = await demandDir(ctx.files, dir_path, 'dir_path');
    const grant = await ctx.files.grant(root, 'read');
    const { entries, unreadable } = await watched(ctx, grant, `list ${root}`, (signal) =>
      describeTree({ grant, isRecursive: recursive, signal }),
    );
    const value = entries.map(({ name, relative, kind, size, mtimeMs }) => ({
      name,
      path: join(root, relative),
      type: kind,
      size,
      modified_at: new Date(mtimeMs).toISOString(),
    }));
    const left = failuresOf(root, unreadable);
    return conclude(ctx, { value, unreadable: left, onUnreadable: on_unreadable, ...UNREAD });
  },
});
