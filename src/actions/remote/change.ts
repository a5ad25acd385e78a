import type { Context } from '../../core/context.ts';
import type { Storage, StoredItem } from '../../core/storage.ts';
import { parentOf } from '../../lib/location/storage-path.ts';
import { locationOf, type TransferEnd } from '../../lib/transfer/transfer.ts';
import { demandDirectory, fault, nothingAt } from './look.ts';

/** Removes one file. */
export const removeFile = async (ctx: Context, location: string): Promise<true> => {
  const place = await ctx.storage(location);
  if (!(await place.storage.remove(place.path, ctx))) throw nothingAt(place);
  return true;
};

/** Removes a file, or a directory with everything in it. */
export const removeAll = async (ctx: Context, location: string): Promise<true> => {
  const place = await ctx.storage(location);
  const { storage, path } = place;
  const item = await storage.stat(path, ctx);
  if (item === undefined) throw nothingAt(place);
  if (path === '') throw fault(place, 'unsupported', `${locationOf(place)} is the top of the connection, which stays; name what is in it.`);
  if (item.kind === 'file') await storage.remove(path, ctx);
  else await removeTree(ctx, place);
  return true;
};

/** One by one, so that rights, budgets and plans hold for each; the deepest directories first. */
const removeTree = async (ctx: Context, place: TransferEnd): Promise<void> => {
  const { storage, path } = place;
  const items: StoredItem[] = [];
  for await (const item of storage.list(path, { signal: ctx.signal, deep: true })) {
    ctx.hold(item.path.length);
    items.push(item);
  }
  for (const item of items) if (item.kind === 'file') await storage.remove(item.path, ctx);
  const removeDir = demandAble(place, storage.removeDir, 'has no directories of its own');
  const directories = items.filter(({ kind }) => kind === 'dir').map((item) => item.path);
  for (const each of directories.toSorted((one, other) => other.length - one.length)) await removeDir(each, ctx);
  await removeDir(path, ctx);
};

/** Makes a directory with those above it. */
export const makeDirectory = async (ctx: Context, location: string): Promise<true> => {
  const place = await ctx.storage(location);
  await makerOf(place)(place.path, ctx);
  return true;
};

/** Makes a directory in one that is there; one that is there itself is refused. */
export const makeCollection = async (ctx: Context, location: string): Promise<true> => {
  const place = await ctx.storage(location);
  const { storage, path } = place;
  if (path === '' || (await storage.stat(path, ctx)) !== undefined)
    throw fault(place, 'exists', `${locationOf(place)} exists already; choose another name.`);
  await demandDirectory({ storage, path: parentOf(path) }, ctx);
  await makerOf(place)(path, ctx);
  return true;
};

/** Removes a directory that is empty. */
export const removeDirectory = async (ctx: Context, location: string): Promise<true> => {
  const place = await ctx.storage(location);
  const removeDir = demandAble(place, place.storage.removeDir, 'has no directories of its own');
  await demandDirectory(place, ctx);
  if (!(await removeDir(place.path, ctx))) throw nothingAt(place);
  return true;
};

const makerOf = (place: TransferEnd): NonNullable<Storage['makeDir']> =>
  demandAble(place, place.storage.makeDir, 'has no directories of its own');

const demandAble = <T>(place: TransferEnd, method: T | undefined, why: string): T => {
  if (method !== undefined) return method;
  throw fault(place, 'unsupported', `${place.storage.location}/ ${why}.`);
};
