import { AuditException, FileAutomationException } from '../../core/errors.ts';
import type { AuditLog, AuditRow } from '../../core/ports/audit.ts';
import type { Log, RunBegun, RunObserver } from '../../core/ports.ts';
import type { RunResult } from '../../core/result.ts';
import type { Audit } from '../engine/port/shelves.ts';
import type { Store } from '../engine/port.ts';
import { entriesOf } from './entries.ts';

export interface AuditParts {
  /** The store of the house. */
  readonly store: Pick<Store, 'audit'>;
  /** Opens the store in a file that a caller names; closed again after the call. */
  openStore(file: string): Promise<Pick<Store, 'audit' | 'close'>>;
  readonly log: Log;
  /** Takes secrets out of a list and its values. */
  mask(value: unknown): unknown;
}

/** The audit log of one house. */
export interface AuditService extends AuditLog {
  /** Writes down every command of every run that ends. */
  readonly observer: RunObserver;
}

/** Reads and writes the audit log. What cannot be written is told in the log of the house and stops nobody. */
export const createAudit = ({ store, openStore, log, mask }: AuditParts): AuditService => {
  const ask = async <T>(dbPath: string | null, work: (audit: Audit) => Promise<T>): Promise<T> => {
    if (dbPath === null) return work(store.audit).catch(unreachable);
    const opened = await openStore(dbPath).catch(unreachable);
    try {
      return await work(opened.audit).catch(unreachable);
    } finally {
      await opened.close();
    }
  };

  const write = async (audit: Audit, run: RunBegun, result: RunResult) => audit.record(entriesOf(run, result, mask));

  return {
    recent: (limit, dbPath) => ask(dbPath, async (audit) => (await audit.recent(limit)).map(toRow)),
    count: (dbPath) => ask(dbPath, (audit) => audit.count()),
    purge: (olderThanS, dbPath) => ask(dbPath, (audit) => audit.purge(olderThanS * 1000)),
    observer: {
      begun: () => {},
      ended(run, result) {
        if (result === undefined) return;
        write(store.audit, run, result).catch((fault: unknown) => {
          log('error', 'The audit log could not be written.', { run_id: run.runId, reason: String(fault) });
        });
      },
    },
  };
};

const toRow = ({
  id,
  at,
  action,
  payload,
  result,
  error,
  durationMs,
  caller,
  runId,
}: Awaited<ReturnType<Audit['recent']>>[number]): AuditRow => ({
  id,
  ts: new Date(at).toISOString(),
  action,
  payload,
  result,
  error,
  duration_ms: durationMs,
  caller,
  run_id: runId,
});

const unreachable = (cause: unknown): never => {
  throw new AuditException(`The audit log cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`, {
    cause,
    ...(cause instanceof FileAutomationException && { context: cause.context, retryable: cause.retryable }),
  });
};
