// Deleting that can be taken back: into a folder of the caller's, or the user's own desktop trash.
// Read record.ts first, then folder-trash.ts; desktop-trash.ts is the same for the layout of file managers.

import { defineAction, defineFamily } from '../../core/action.ts';
import { path, text } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import { VersioningException } from '../../core/errors.ts';
import * as shapes from '../../core/shapes.ts';
import { moveEntry } from '../../lib/fs/move-entry.ts';
import { desktopTrash } from './desktop-trash.ts';
import { folderTrash } from './folder-trash.ts';
import { type Trash, type Trashed, trashedShape } from './record.ts';

const trashOf = (folder: string | null): Trash => (folder === null ? desktopTrash : folderTrash(folder));

const WHERE = 'The folder of the trash; by default the trash of your desktop.';

const demandEntry = async ({ files }: Context, file: string) => {
  const entry = await files.stat(file, { followLinks: false });
  if (entry === undefined)
    throw new VersioningException(`Nothing is at ${files.absolute(file)}; check the path.`, {
      context: { argument: 'path', path: files.absolute(file) },
    });
  return entry;
};

const sendToTrash = defineAction({
  name: 'FA_send_to_trash',
  summary: 'Moves a file or directory into the trash.',
  args: {
    path: path('What to throw away.', { role: 'removesTree' }),
    trash_dir: path(WHERE, { role: 'writesTree', default: null, mayBeMissing: true }),
  },
  returns: trashedShape,
  examples: [{ files: { 'a.txt': 'x' }, args: { path: 'a.txt', trash_dir: 'trash' }, leaves: { 'a.txt': null } }],
  async plan(ctx, { path: file, trash_dir }) {
    const entry = await demandEntry(ctx, file);
    if (trash_dir !== null) await ctx.files.makeDir(trash_dir, { parents: true, isPrivate: true });
    if (entry.kind === 'dir') await ctx.files.removeTree(file, { signal: ctx.signal });
    else await ctx.files.remove(file);
    ctx.notYetKnown('the name in the trash');
  },
  async run(ctx, { path: file, trash_dir }) {
    const entry = await demandEntry(ctx, file);
    return trashOf(trash_dir).send(ctx, file, entry.kind === 'dir');
  },
});

const listTrash = defineAction({
  name: 'FA_list_trash',
  summary: 'Lists what is in the trash, oldest first.',
  args: { trash_dir: path(WHERE, { role: 'readsTree', default: null, mayBeMissing: true }) },
  returns: shapes.list(trashedShape),
  idempotent: true,
  onlyLooks: true,
  examples: [{ args: { trash_dir: 'trash' }, value: [] }],
  run: (ctx, { trash_dir }) => trashOf(trash_dir).list(ctx),
});

interface RestoreArgs {
  readonly trash_id: string;
  readonly trash_dir: string | null;
  readonly destination: string | null;
}

const restore = async (ctx: Context, { trash_id, trash_dir, destination }: RestoreArgs): Promise<string> => {
  const { files } = ctx;
  const trash = trashOf(trash_dir);
  const entry = await trash.find(ctx, trash_id);
  if (entry === undefined) {
    throw new VersioningException(`The trash holds nothing called ${JSON.stringify(trash_id.slice(0, 200))}; FA_list_trash has the ids.`, {
      context: { argument: 'trash_id' },
    });
  }
  const target = files.absolute(destination ?? entry.original);
  if ((await files.stat(target, { followLinks: false })) !== undefined) {
    throw new VersioningException(`Something is at ${target} already; move it away or give another destination.`, {
      context: { path: target },
    });
  }
  await moveEntry(ctx, { from: entry.path, to: target }, { exclusive: true });
  await trash.forget(ctx, entry);
  return target;
};

const LAYOUT = {
  'trash/1700000000000_ab12cd34__a.txt': 'x',
  'trash/1700000000000_ab12cd34.trashmeta.json':
    '{"trash_id": "1700000000000_ab12cd34", "original": "/gone/a.txt", "trashed_at": 1700000000.5, "is_dir": false}',
};

const restoreFromTrash = defineAction({
  name: 'FA_restore_from_trash',
  summary: 'Moves an entry of the trash back; never overwrites.',
  args: {
    trash_id: text('The id that sending or listing gave.'),
    trash_dir: path(WHERE, { role: 'removesTree', default: null, mayBeMissing: true }),
    destination: path('Where it goes; by default where it came from.', { role: 'writesTree', default: null, mayBeMissing: true }),
  },
  returns: shapes.text(),
  examples: [
    {
      files: LAYOUT,
      args: { trash_id: '1700000000000_ab12cd34', trash_dir: 'trash', destination: 'back/a.txt' },
      leaves: { 'back/a.txt': 'x', 'trash/1700000000000_ab12cd34__a.txt': null },
    },
  ],
  plan: restore,
  run: restore,
});

const discard = async ({ files, signal }: Context, { path: file, is_dir }: Trashed): Promise<void> => {
  if (is_dir) await files.removeTree(file, { signal });
  else await files.remove(file);
};

const empty = async (ctx: Context, { trash_dir }: { readonly trash_dir: string | null }): Promise<number> => {
  const trash = trashOf(trash_dir);
  const entries = await trash.list(ctx);
  for (const entry of entries) {
    await discard(ctx, entry);
    await trash.forget(ctx, entry);
  }
  return entries.length;
};

const emptyTrash = defineAction({
  name: 'FA_empty_trash',
  summary: 'Deletes everything in the trash for good; tells how many entries went.',
  args: { trash_dir: path(WHERE, { role: 'removesTree', default: null, mayBeMissing: true }) },
  returns: shapes.integer(),
  idempotent: true,
  examples: [{ files: LAYOUT, args: { trash_dir: 'trash' }, value: 1, leaves: { 'trash/1700000000000_ab12cd34__a.txt': null } }],
  plan: empty,
  run: empty,
});

export const trash = defineFamily({
  name: 'trash',
  group: 'files',
  summary: 'Deleting that can be taken back.',
  isApart: true,
  actions: [sendToTrash, listTrash, restoreFromTrash, emptyTrash],
});
