import type { Json } from '../errors.ts';
import type { StoreFile } from '../store-file.ts';

/** One line of the audit log, as it is shown. */
export interface AuditRow {
  readonly id: number;
  /** ISO 8601. */
  readonly ts: string;
  readonly action: string;
  /** The arguments as written, secrets masked. */
  readonly payload: Json;
  readonly result: Json;
  readonly error: string | null;
  readonly duration_ms: number | null;
  readonly caller: string | null;
  readonly run_id: string | null;
}

/** The log of what was done for whom. A null path means the store of the house. `AuditException` where it cannot be reached. */
export interface AuditLog {
  /** Newest first. */
  recent(limit: number, dbPath: StoreFile | null): Promise<readonly AuditRow[]>;
  count(dbPath: StoreFile | null): Promise<number>;
  /** Deletes what is older; answers how many lines. */
  purge(olderThanS: number, dbPath: StoreFile | null): Promise<number>;
}
