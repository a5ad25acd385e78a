import { defineAction } from '../../core/action.ts';
import { flag, integer, list, number, oneOf, path } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import { onUnreadable } from '../../core/on-unreadable.ts';
import * as shapes from '../../core/shapes.ts';
import { isTree } from '../../lib/tree/is-tree.ts';
import { noNames } from '../../lib/tree/name-list.ts';
import { carryOut } from './carry-out.ts';
import { type Decision, decide, listBelow } from './decide.ts';
import { findTrees, type Trees } from './find-trees.ts';
import { reportOn, syncReport } from './report.ts';
import type { SyncArgs } from './sync-args.ts';
import type { Done } from './work.ts';

/** Tells what would be done. */
const foretell = async ({ signal }: Context, { source }: Trees, decision: Decision, { exclude }: SyncArgs): Promise<Done> => {
  const { changed, missing } = decision;
  const { files, links, special, bytes, faults } = await listBelow(source, missing.filter(isTree), exclude, signal);
  const names = [...changed, ...missing.filter((each) => !isTree(each)), ...files, ...links];
  return {
    copied: { count: names.length, names },
    bytes: decision.bytes + bytes,
    vanished: noNames(),
    special,
    unkept: noNames(),
    deleted: decision.doomed,
    faults,
  };
};

const sync = async (ctx: Context, args: SyncArgs) => {
  const trees = await findTrees(ctx, args);
  const decision = await decide(ctx, trees, args);
  const done = await (args.dry_run ? foretell : carryOut)(ctx, trees, decision, args);
  return reportOn(ctx, decision, done, args);
};

export const syncDir = defineAction({
  name: 'FA_sync_dir',
  summary: 'Makes a directory tree like another one, copying only what is new or changed.',
  args: {
    src: path('The tree to copy from.', { role: 'readsTree' }),
    dst: path('The tree to make like it; made when missing.', { role: ['writesTree', 'removesTree'] }),
    compare: oneOf(
      'Files are the same when size and time are (`size_mtime`), or when their content is (`checksum`).',
      ['size_mtime', 'checksum'],
      {
        default: 'size_mtime',
      },
    ),
    delete: flag('Delete what is only at the target.', { default: false }),
    dry_run: flag('Change nothing, only tell what would be done.', { default: false }),
    tolerance_s: number('Times this many seconds apart count as the same; null: what both file systems can tell decides.', {
      default: null,
      min: 0,
    }),
    max_delete: integer('Up to this many files are deleted, whatever their share.', { default: 50, min: 0 }),
    max_delete_share: number('More than `max_delete` files are deleted only up to this share of the files at the target.', {
      default: 0.1,
      min: 0,
      max: 1,
    }),
    trash: flag('Throw what is deleted into the trash.', { default: false }),
    exclude: list('Patterns of what is left out on both sides, directories with everything in them.', shapes.text(), { default: [] }),
    max_listed: integer('How many names each list of the answer holds at most; the totals count all.', { default: 10_000, min: 0 }),
    on_unreadable: onUnreadable(),
  },
  returns: syncReport,
  idempotent: true,
  examples: [
    {
      files: { 's/a.txt': '1', 's/deep/b.txt': '2', 'd/old.txt': 'x' },
      args: { src: 's', dst: 'd', delete: true },
      value: {
        copied: ['a.txt', 'deep/b.txt'],
        skipped: [],
        deleted: ['old.txt'],
        errors: [],
        dry_run: false,
        totals: { copied: 2, skipped: 0, deleted: 1, failed: 0, vanished: 0, bytes: 2 },
      },
      leaves: { 'd/a.txt': '1', 'd/deep/b.txt': '2', 'd/old.txt': null },
    },
    {
      about: 'A dry run of the action itself: told, not done.',
      files: { 's/a.txt': '1' },
      args: { src: 's', dst: 'd', dry_run: true },
      value: {
        copied: ['a.txt'],
        skipped: [],
        deleted: [],
        errors: [],
        dry_run: true,
        totals: { copied: 1, skipped: 0, deleted: 0, failed: 0, vanished: 0, bytes: 1 },
      },
      leaves: { 'd/a.txt': null },
    },
  ],
  plan: sync,
  run: sync,
});
