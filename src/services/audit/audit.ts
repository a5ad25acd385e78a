import { setImmediate as nextTurn } from 'node:timers/promises';
import { AuditException, FileAutomationException } from '../../core/errors.ts';
import type { AuditLog, AuditRow } from '../../core/ports/audit.ts';
import type { Log, RunBegun, RunObserver } from '../../core/ports.ts';
import type { RunResult } from '../../core/result.ts';
import type { StoreFile } from '../../core/store-file.ts';
import { TimeSlice, threadSlices } from '../../lib/async/time-slice.ts';
import type { Audit, AuditEntry } from '../engine/port/shelves.ts';
import type { Store } from '../engine/port.ts';
import { entriesOf } from './entries.ts';

export interface AuditParts {
  /** The store of the house. */
  readonly store: Pick<Store, 'audit'>;
  /** Opens the store in a file that a caller names; closed again after the call. */
  openStore(file: StoreFile): Promise<Pick<Store, 'audit' | 'close'>>;
  readonly log: Log;
  /** Takes secrets out of a list and its values. */
  mask(value: unknown): unknown;
  /** The same for what came of a list, with the secrets that stand in it; left out: as `mask`. */
  maskFor?(request: unknown): (value: unknown) => unknown;
}

/** The audit log of one house. */
export interface AuditService extends AuditLog {
  /** Writes down every command of every run that ends. */
  readonly observer: RunObserver;
  /** Waits until all runs that have ended so far are written down, or cannot be. */
  flush(): Promise<void>;
}

/** Lines that are handed to the store at once. */
const MOST_LINES = 256;

/** Reads and writes the audit log. What cannot be written is told in the log of the house and stops nobody. */
export const createAudit = ({ store, openStore, log, mask, maskFor = () => mask }: AuditParts): AuditService => {
  let ended: { readonly run: RunBegun; readonly result: RunResult }[] = [];
  let writing: Promise<void> | undefined;

  const ask = async <T>(dbPath: StoreFile | null, work: (audit: Audit) => Promise<T>): Promise<T> => {
    if (dbPath === null) {
      await writing;
      return work(store.audit).catch(unreachable);
    }
    const opened = await openStore(dbPath).catch(unreachable);
    try {
      return await work(opened.audit).catch(unreachable);
    } finally {
      await opened.close();
    }
  };

  /** Some lines at a time: those of a long list would hold up whoever else has something for the store. */
  const writeRun = async (run: RunBegun, result: RunResult): Promise<void> => {
    const slice = new TimeSlice(threadSlices);
    let lines: AuditEntry[] = [];
    for (const line of entriesOf(run, result, { mask, maskValue: maskFor(run.request) })) {
      lines.push(line);
      if (lines.length === MOST_LINES) {
        await store.audit.record(lines);
        lines = [];
      }
      if (slice.isOver()) await slice.next();
    }
    if (lines.length > 0) await store.audit.record(lines);
  };

  const write = async (): Promise<void> => {
    while (ended.length > 0) {
      const some = ended;
      ended = [];
      const answers = await Promise.allSettled(some.map(({ run, result }) => writeRun(run, result)));
      for (const [at, answer] of answers.entries())
        if (answer.status === 'rejected')
          log('error', 'The audit log could not be written.', { run_id: some[at]?.run.runId ?? '', reason: String(answer.reason) });
    }
    writing = undefined;
  };

  return {
    recent: (limit, dbPath) => ask(dbPath, async (audit) => (await audit.recent(limit)).map(toRow)),
    count: (dbPath) => ask(dbPath, (audit) => audit.count()),
    purge: (olderThanS, dbPath) => ask(dbPath, (audit) => audit.purge(olderThanS * 1000)),
    observer: {
      begun: () => {},
      ended(run, result) {
        if (result === undefined) return;
        ended.push({ run, result });
        // A turn later: somebody waits for the record of the run, which the store takes first then.
        writing ??= nextTurn().then(write);
      },
    },
    flush: async () => writing,
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
