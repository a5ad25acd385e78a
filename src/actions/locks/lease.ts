import type { Context } from '../../core/context.ts';
import { LockTimeoutException } from '../../core/errors.ts';
import type { Lease, LockPlace, Locks } from '../../core/ports/locks.ts';
import * as shapes from '../../core/shapes.ts';
import { planStoreFile, storeFile } from '../../core/store-file.ts';

/** A lock in the hands of its owner, as an action answers it. */
export const lease = shapes.object({
  name: shapes.text(),
  owner: shapes.text(),
  expires_at: shapes.nullable(shapes.text()),
  fence: shapes.integer(),
});

export const toLease = ({ owner, expiresAt, fence }: Lease, name: string) => ({
  name,
  owner,
  expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString(),
  fence,
});

/** The locks of the house. */
export const locksOf = ({ services }: Context): Locks => {
  if (services.locks !== undefined) return services.locks;
  throw new LockTimeoutException('This house keeps no locks; run it through factotum serve, or use createFactotum().');
};

/** Where a lock is kept that somebody holds; undefined where there is no such file, so that nobody does. */
export const placeOfHeld = async (ctx: Context, name: string, dbPath: string | null): Promise<LockPlace | undefined> =>
  dbPath !== null && (await ctx.files.stat(dbPath)) === undefined ? undefined : placeOf(ctx, name, dbPath);

/** A store that is there changes; one that is missing stays missing. */
export const planChangeOfHeld = async (ctx: Context, { db_path }: { readonly db_path: string | null }): Promise<void> => {
  if (db_path !== null && (await ctx.files.stat(db_path)) !== undefined) await planStoreFile(ctx, db_path);
};

/** Where the lock is kept, made where it is missing: in the store of the service under a name of the caller's own, in a file under the very name. */
export const placeOf = async (ctx: Context, name: string, dbPath: string | null): Promise<LockPlace> => ({
  name: dbPath === null ? ctx.ownName(name) : name,
  dbPath: dbPath === null ? null : await storeFile(ctx, dbPath),
});

/** A changed lock is a changed store; that of the service is its own affair. */
export const planChange = async (ctx: Context, { db_path }: { readonly db_path: string | null }): Promise<void> => {
  if (db_path !== null) await planStoreFile(ctx, db_path);
};
