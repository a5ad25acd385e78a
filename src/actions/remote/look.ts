import type { Context } from '../../core/context.ts';
import { StorageException } from '../../core/errors.ts';
import type { StoredItem } from '../../core/storage.ts';
import { locationOf, type TransferEnd } from '../../lib/transfer/transfer.ts';

/** What takes part of the memory of its run for each entry of a list, beside its name. */
const ENTRY_BYTES = 64;

/** The entries of a directory, by name. */
export const listDirectory = async (ctx: Context, location: string): Promise<readonly StoredItem[]> => {
  const place = await ctx.storage(location);
  await demandDirectory(place, ctx);
  return gathered(ctx, place.storage.list(place.path, { signal: ctx.signal }));
};

/** Everything below a directory whose path begins so: prefixes need not end where a name does. */
export const listBelow = async (ctx: Context, location: string, prefix: string): Promise<readonly StoredItem[]> => {
  const { storage, path } = await ctx.storage(location);
  const below = storage.list(path, { signal: ctx.signal, deep: true });
  return gathered(ctx, below, ({ kind, path: found }) => kind === 'file' && found.startsWith(prefix));
};

const gathered = async (
  { hold }: Context,
  items: AsyncIterable<StoredItem>,
  isWanted: (item: StoredItem) => boolean = () => true,
): Promise<readonly StoredItem[]> => {
  const found: StoredItem[] = [];
  for await (const item of items) {
    if (!isWanted(item)) continue;
    hold(item.path.length + ENTRY_BYTES);
    found.push(item);
  }
  return found.toSorted((one, other) => (one.path < other.path ? -1 : 1));
};

/** Whether anything is there; a server that does not answer is a failure, not a no. */
export const existsAt = async (ctx: Context, location: string): Promise<boolean> => {
  const { storage, path } = await ctx.storage(location);
  return (await storage.stat(path, { signal: ctx.signal })) !== undefined;
};

/** The last name of a path. */
export const nameOf = ({ path }: Pick<StoredItem, 'path'>): string => path.slice(path.lastIndexOf('/') + 1);

export const demandDirectory = async (place: TransferEnd, { signal }: Pick<Context, 'signal'>): Promise<void> => {
  if (place.path === '') return;
  const item = await place.storage.stat(place.path, { signal });
  if (item === undefined) throw nothingAt(place);
  if (item.kind === 'file') throw fault(place, 'unsupported', `${locationOf(place)} is a file; name a directory.`);
};

export const nothingAt = (place: TransferEnd): StorageException =>
  fault(place, 'not_found', `Nothing is at ${locationOf(place)}; check the path, list the directory above it.`);

export const fault = (place: TransferEnd, code: string, message: string): StorageException =>
  new StorageException(message, { context: { code, location: locationOf(place) } });
