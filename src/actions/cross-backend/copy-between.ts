import { defineAction } from '../../core/action.ts';
import { text } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import { StorageException } from '../../core/errors.ts';
import { noFailures } from '../../lib/partial/failures.ts';
import { copyFile } from '../../lib/transfer/copy-file.ts';
import { copyTree } from '../../lib/transfer/copy-tree.ts';
import { locationOf } from '../../lib/transfer/transfer.ts';
import { type CommonArgs, compareArg, paceArgs, progressName, transferArgs } from '../remote/transfer-args.ts';
import { openEnds, placeInside, transferReport, transferring } from '../remote/transferring.ts';

const copy = async (ctx: Context, args: CommonArgs) => {
  const { from, to } = await openEnds(ctx, args);
  const item = await from.storage.stat(from.path, ctx);
  if (item === undefined)
    throw new StorageException(`Nothing is at ${locationOf(from)}; check the location, list the directory above it.`, {
      context: { code: 'not_found', location: locationOf(from) },
    });
  if (item.kind === 'dir')
    return transferring(ctx, args, to, ({ options, showTotal }) =>
      copyTree(from, to, { ...options, ...selecting(args), onTotal: showTotal }),
    );
  const target = await placeInside(from, to, ctx.signal);
  return transferring(ctx, args, target, async ({ options, showTotal }) => {
    showTotal(item.bytes);
    return { files: [await copyFile(from, target, options, { source: item })], deleted: [], failed: noFailures() };
  });
};

const selecting = ({ include, exclude }: CommonArgs) => ({ include, exclude });

export const copyBetween = defineAction({
  name: 'FA_copy_between',
  summary: 'Copies a file or everything below a directory from one location to another, whatever serves them.',
  args: {
    source: text('Where from: a path of this machine, `s3+NAME://bucket/key`, `sftp+NAME://path`, `https://…` and their like.', {
      role: 'readsLocation',
      minLength: 1,
    }),
    target: text('Where to; a file goes into what ends with a slash or is a directory, a directory brings what is in it.', {
      role: 'writesLocation',
      minLength: 1,
    }),
    ...transferArgs,
    compare: compareArg(),
    ...paceArgs,
    progress_name: progressName(),
  },
  returns: transferReport,
  idempotent: true,
  examples: [
    {
      files: { 'a.txt': 'hello' },
      args: { source: 'a.txt', target: 'copies/' },
      leaves: { 'copies/a.txt': 'hello' },
    },
    {
      about: 'Everything below a directory, but for what a pattern leaves out.',
      files: { 'in/a.txt': '1', 'in/deep/b.txt': '2', 'in/c.log': '3' },
      args: { source: 'in', target: 'mem://backup', exclude: ['*.log'] },
    },
  ],
  plan: copy,
  run: copy,
});
