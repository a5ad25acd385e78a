import type { Context } from '../../core/context.ts';
import { noFailures } from '../../lib/partial/failures.ts';
import { copyFile } from '../../lib/transfer/copy-file.ts';
import { copyTree } from '../../lib/transfer/copy-tree.ts';
import type { TransferEnd } from '../../lib/transfer/transfer.ts';
import { type CarryArgs, noDirectory, noFile } from './remote-args.ts';
import type { CommonArgs } from './transfer-args.ts';
import { placeInside, transferring } from './transferring.ts';

/** Uploads one file to a location. */
export const uploadFile = async (ctx: Context, source: string, target: string, args: CarryArgs): Promise<true> => {
  const entry = await ctx.files.stat(source);
  if (entry?.kind !== 'file') throw noFile(ctx.files.absolute(source));
  const from = await ctx.storage(localLocation(ctx, source));
  return carryFile(ctx, from, await ctx.storage(target), commonArgs(source, target, args));
};

/** Downloads one file from a location. */
export const downloadFile = async (ctx: Context, source: string, target: string, args: CarryArgs): Promise<true> => {
  const from = await ctx.storage(source);
  const to = await placeInside(from, await ctx.storage(localLocation(ctx, target)), ctx.signal);
  return carryFile(ctx, from, to, commonArgs(source, target, args));
};

const carryFile = async (ctx: Context, from: TransferEnd, to: TransferEnd, args: CommonArgs): Promise<true> => {
  await transferring(ctx, args, to, async ({ options, showTotal }) => {
    const item = await from.storage.stat(from.path, options);
    if (item?.kind === 'file') showTotal(item.bytes);
    return { files: [await copyFile(from, to, options, item && { source: item })], deleted: [], failed: noFailures() };
  });
  return true;
};

/** Uploads everything below a directory; gives the paths of what is there now. */
export const uploadDir = async (ctx: Context, source: string, target: string, args: CarryArgs): Promise<string[]> => {
  const entry = await ctx.files.stat(source);
  if (entry?.kind !== 'dir') throw noDirectory(ctx.files.absolute(source));
  const from = await ctx.storage(localLocation(ctx, source));
  const to = await ctx.storage(target);
  const { include = [], exclude = [] } = args;
  const { files } = await transferring(ctx, commonArgs(source, target, args), to, ({ options, showTotal }) =>
    copyTree(from, to, { ...options, include, exclude, onTotal: showTotal }),
  );
  return files.map(({ path }) => path);
};

/** A path of this machine, whatever it looks like. */
const localLocation = ({ files }: Context, path: string): string => (path.includes('://') ? `local://${files.absolute(path)}` : path);

const commonArgs = (source: string, target: string, args: CarryArgs): CommonArgs => ({
  include: [],
  exclude: [],
  progress_name: null,
  ...args,
  source,
  target,
  max_listed: Number.POSITIVE_INFINITY, // the value names all of them
});
