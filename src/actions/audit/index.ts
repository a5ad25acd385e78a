// The log of what was done for whom. It is kept in services/audit and reaches actions through ctx.services.
import { defineAction, defineFamily } from '../../core/action.ts';
import { integer, number, path } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import { AuditException } from '../../core/errors.ts';
import type { AuditLog } from '../../core/ports/audit.ts';
import * as shapes from '../../core/shapes.ts';
import { planStoreLook, type StoreFile, storeFile } from '../../core/store-file.ts';

const row = shapes.object({
  id: shapes.integer(),
  ts: shapes.text(),
  action: shapes.text(),
  payload: shapes.json(),
  result: shapes.json(),
  error: shapes.nullable(shapes.text()),
  duration_ms: shapes.nullable(shapes.number()),
  caller: shapes.nullable(shapes.text()),
  run_id: shapes.nullable(shapes.text()),
});

const auditOf = ({ services }: Context): AuditLog => {
  if (services.audit !== undefined) return services.audit;
  throw new AuditException('This house keeps no audit log; run it through factotum serve, or use createFactotum({ store }).');
};

/** A store that is only looked into is not made where there is none. */
const placeOf = async (ctx: Context, dbPath: string | null): Promise<StoreFile | null> => {
  if (dbPath === null) return null;
  await demandStore(ctx, dbPath);
  return storeFile(ctx, dbPath, AuditException);
};

/** The same for those who only look: they change nothing of the file. */
const placeToLook = async (ctx: Context, dbPath: string | null): Promise<StoreFile | null> => {
  const place = await placeOf(ctx, dbPath);
  return place && { ...place, isOnlyRead: true };
};

const demandStore = async ({ files }: Context, dbPath: string): Promise<void> => {
  if ((await files.stat(dbPath)) !== undefined) return;
  throw new AuditException(`There is no store at ${dbPath}; check the path.`, { context: { argument: 'db_path', path: dbPath } });
};

/** That of the service is its own affair. */
const planLook = async (ctx: Context, { db_path }: { readonly db_path: string | null }): Promise<void> => {
  if (db_path === null) return;
  await demandStore(ctx, db_path);
  await planStoreLook(ctx, db_path, AuditException);
};

/** A store with an empty log. */
const emptyStore = [['FA_lock_acquire', { name: 'first', db_path: 'store.db' }]] as const;

const ABOUT_DB = 'The file of a store that holds the log; null: the store of the service.';

const auditRecent = defineAction({
  name: 'FA_audit_recent',
  summary: 'Lists the newest lines of the audit log: which action ran for whom, with what arguments, and what came of it.',
  args: {
    limit: integer('Most lines.', { default: 100, min: 0, max: 10_000 }),
    db_path: path(ABOUT_DB, { default: null, role: 'reads', wrong: AuditException }),
  },
  returns: shapes.list(row),
  idempotent: true,
  reserved: true,
  examples: [{ after: emptyStore, args: { db_path: 'store.db' }, value: [] }],
  plan: planLook,
  async run(ctx, { limit, db_path }) {
    return [...(await auditOf(ctx).recent(limit, await placeToLook(ctx, db_path)))];
  },
});

const auditCount = defineAction({
  name: 'FA_audit_count',
  summary: 'Counts the lines of the audit log.',
  args: { db_path: path(ABOUT_DB, { default: null, role: 'reads', wrong: AuditException }) },
  returns: shapes.integer(),
  idempotent: true,
  reserved: true,
  examples: [{ after: emptyStore, args: { db_path: 'store.db' }, value: 0 }],
  plan: planLook,
  run: async (ctx, { db_path }) => auditOf(ctx).count(await placeToLook(ctx, db_path)),
});

const auditPurge = defineAction({
  name: 'FA_audit_purge',
  summary: 'Deletes old lines of the audit log; tells how many.',
  args: {
    older_than_seconds: number('Lines older than this go.', { above: 0 }),
    db_path: path(ABOUT_DB, { default: null, role: 'removes', wrong: AuditException }),
  },
  returns: shapes.integer(),
  idempotent: true,
  reserved: true,
  examples: [{ after: emptyStore, args: { older_than_seconds: 86_400, db_path: 'store.db' }, value: 0 }],
  async plan(ctx, { db_path }) {
    if (db_path !== null) {
      await demandStore(ctx, db_path);
      await planStoreLook(ctx, db_path, AuditException); // whether anything goes is not known
    }
    ctx.notYetKnown('which lines are old enough');
  },
  run: async (ctx, { older_than_seconds, db_path }) => auditOf(ctx).purge(older_than_seconds, await placeOf(ctx, db_path)),
});

export const audit = defineFamily({
  name: 'audit',
  group: 'state',
  summary: 'The log of what was done for whom: read, count, shorten.',
  actions: [auditRecent, auditCount, auditPurge],
});
