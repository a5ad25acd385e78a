import { path } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import { QueueException } from '../../core/errors.ts';
import type { Queues } from '../../core/ports/queue.ts';
import { planStoreFile, planStoreLook, type StoreFile, storeFile } from '../../core/store-file.ts';

const ABOUT_DB = 'The file of a store that holds the queue; null: the store of the service.';

/** The file of a store, under what is done to the queue in it. */
export const dbPath = (role: 'reads' | 'writes' | 'removes') =>
  path(ABOUT_DB, { default: null, role, mayBeMissing: true, wrong: QueueException });

/** The queues of the house. */
export const queuesOf = ({ services }: Context): Queues => {
  if (services.queue !== undefined) return services.queue;
  throw new QueueException('This house keeps no queue; run it through factotum serve, or use createFactotum().');
};

/** Where the queue is; made where it is missing. */
export const placeOf = async (ctx: Context, given: string | null): Promise<StoreFile | null> =>
  given === null ? null : storeFile(ctx, given, QueueException);

/** Where a queue is that has given items away. */
export const placeOfClaimed = async (ctx: Context, given: string | null): Promise<StoreFile | null> => {
  await demandClaimed(ctx, given);
  return placeOf(ctx, given);
};

const demandClaimed = async ({ files }: Context, given: string | null): Promise<void> => {
  if (given === null || (await files.stat(given)) !== undefined) return;
  throw new QueueException(`There is no queue at ${given}; check the path.`, { context: { argument: 'db_path', path: given } });
};

/** Does something with a queue, or answers at once where the file does not exist: looking makes none. */
export const whereKept = async <T>(
  ctx: Context,
  given: string | null,
  otherwise: T,
  work: (place: StoreFile | null) => Promise<T>,
): Promise<T> => {
  if (given !== null && (await ctx.files.stat(given)) === undefined) return otherwise;
  return work(await placeOf(ctx, given));
};

/** The same for those who only look: they change nothing of the file either. */
export const lookWhereKept = async <T>(
  ctx: Context,
  given: string | null,
  otherwise: T,
  work: (place: StoreFile | null) => Promise<T>,
): Promise<T> => whereKept(ctx, given, otherwise, async (place) => work(place && { ...place, isOnlyRead: true }));

/** What looking would refuse; a missing file is an empty queue. */
export const planLook = async (ctx: Context, { db_path }: { readonly db_path: string | null }): Promise<void> => {
  if (db_path !== null && (await ctx.files.stat(db_path)) !== undefined) await planStoreLook(ctx, db_path, QueueException);
};

/** A changed queue is a changed file; that of the service is its own affair. */
export const planChange = async (ctx: Context, given: string | null): Promise<void> => {
  if (given !== null) await planStoreFile(ctx, given, QueueException);
};

/** Like `planChange`, where a missing file stays missing. */
export const planChangeOfExisting = async (ctx: Context, { db_path }: { readonly db_path: string | null }): Promise<void> => {
  if (db_path !== null && (await ctx.files.stat(db_path)) !== undefined) await planChange(ctx, db_path);
};

/** Like `planChange`, where somebody must have been given an item of the queue before. */
export const planChangeOfClaimed = async (ctx: Context, { db_path }: { readonly db_path: string | null }): Promise<void> => {
  await demandClaimed(ctx, db_path);
  await planChange(ctx, db_path);
};
