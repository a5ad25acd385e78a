import { defineAction } from '../../core/action.ts';
import { flag, integer, number, text } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import { CrossBackendException } from '../../core/errors.ts';
import { syncTree } from '../../lib/transfer/copy-tree.ts';
import { type CommonArgs, compareArg, paceArgs, progressName, transferArgs } from '../remote/transfer-args.ts';
import { openEnds, transferReport, transferring } from '../remote/transferring.ts';

interface SyncArgs extends CommonArgs {
  readonly delete: boolean;
  readonly dry_run: boolean;
  readonly max_delete: number;
  readonly max_delete_share: number;
}

const sync = async (ctx: Context, args: SyncArgs) => {
  const { from, to } = await openEnds(ctx, args);
  return transferring(ctx, args, to, ({ options, showTotal }) =>
    syncTree(from, to, {
      ...options,
      include: args.include,
      exclude: args.exclude,
      delete: args.delete,
      tellsOnly: args.dry_run,
      demandFew: brake(args),
      onTotal: showTotal,
    }),
  );
};

/** Refuses to delete so much that it is more likely to be a mistake. */
const brake =
  ({ source, target, max_delete, max_delete_share }: SyncArgs) =>
  (doomed: number, kept: number): void => {
    const context = { source, target, deletes: doomed, keeps: kept };
    if (kept === 0)
      throw new CrossBackendException(`Nothing of what is at ${target} is at ${source}, so everything would be deleted; check both.`, {
        context,
      });
    if (doomed <= max_delete || doomed <= max_delete_share * (doomed + kept)) return;
    throw new CrossBackendException(
      `${doomed} of ${doomed + kept} files at ${target} would be deleted; if that is meant, raise max_delete or max_delete_share.`,
      { context },
    );
  };

export const syncBetween = defineAction({
  name: 'FA_sync_between',
  summary: 'Makes a directory at one location like that at another, sending only what is new or changed.',
  args: {
    source: text('The directory to copy from, as a location or a path.', { role: 'readsLocation', minLength: 1 }),
    target: text('The directory to make like it.', { role: ['writesLocation', 'removesLocation'], minLength: 1 }),
    compare: compareArg(),
    delete: flag('Delete what is only at the target.', { default: false }),
    dry_run: flag('Change nothing, only tell what would be done.', { default: false }),
    progress_name: progressName(),
    ...transferArgs,
    max_delete: integer('Up to this many files are deleted, whatever their share.', { default: 50, min: 0 }),
    max_delete_share: number('More than `max_delete` files are deleted only up to this share of the files at the target.', {
      default: 0.1,
      min: 0,
      max: 1,
    }),
    ...paceArgs,
  },
  returns: transferReport,
  idempotent: true,
  examples: [
    {
      files: { 's/a.txt': '1', 's/deep/b.txt': '2', 'd/a.txt': 'old', 'd/gone.txt': 'x' },
      args: { source: 's', target: 'd', delete: true },
      leaves: { 'd/a.txt': '1', 'd/deep/b.txt': '2', 'd/gone.txt': null },
    },
    {
      about: 'A dry run of the action itself: told, not done.',
      files: { 's/a.txt': '1' },
      args: { source: 's', target: 'mem://mirror', dry_run: true },
    },
  ],
  plan: sync,
  run: sync,
});
