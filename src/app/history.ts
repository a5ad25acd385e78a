import { homedir } from 'node:os';
import { dirname } from 'node:path';
import { OWNER } from '../access/caller.ts';
import { PolicyException } from '../core/errors.ts';
import type { RunResult } from '../core/result.ts';
import { createRunJournals } from '../files/journal/run-journals.ts';
import { undoFiles } from '../files/journal/undo-files.ts';
import { createWriteAhead } from '../files/journal/write-ahead.ts';
import type { Config } from '../services/config/schema/config.ts';
import { embeddedStore, storeFileIn } from '../services/engine/embedded/embedded-store.ts';
import type { Pruned } from '../services/engine/port/engine.ts';
import type { Store } from '../services/engine/port.ts';
import { stateDirectory } from '../services/engine/state-directory.ts';
import { createDispatcher } from '../services/queue/dispatcher.ts';
import { type ResumePoint, resumption } from '../services/queue/resume.ts';
import { trimUndo } from '../services/undo/trim.ts';
import { createUndo } from '../services/undo/undo.ts';
import { createFactotum } from './create.ts';

export type { Run, RunRecord, RunState } from '../services/engine/port/runs.ts';
export type { ApprovedPlan } from '../services/engine/port/shelves.ts';

export interface HistoryOptions {
  /** The section `[store]` of the configuration. */
  readonly config: Config['store'];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The store as a command of the command line uses it, beside whatever serves it. */
export interface History extends AsyncDisposable {
  readonly store: Store;
  /** Takes back what a run changed. */
  undo(runId: string): Promise<RunResult>;
  /** Runs the rest of a run here and now. */
  resume(runId: string, options: { readonly from?: ResumePoint; readonly signal: AbortSignal }): Promise<RunResult>;
  /** Deletes what is older than the configuration keeps. */
  prune(): Promise<Pruned & { readonly undo: number }>;
}

const DAY_MS = 86_400_000;
const clock = { now: Date.now, monotonic: () => performance.now() };
const log = () => {};

/** Opens the store of this user; nothing is opened before the first question. */
export const openHistory = ({ config, env }: HistoryOptions): History => {
  const file = config.path ?? storeFileIn(stateDirectory(env, homedir()));
  const store = embeddedStore({ file });
  const worker = `cli:${process.pid}`;
  const ahead = createWriteAhead({ stateDirectory: dirname(file), store: store.undo.append });
  const undo = createUndo({ store, files: undoFiles, clock, log, worker, callerOf: (name) => (name === OWNER.name ? OWNER : undefined) });

  return {
    store,
    async undo(runId) {
      await ahead.takeIn();
      return (await undo.undo(runId, OWNER)).finished;
    },
    async resume(runId, { from, signal }) {
      await ahead.takeIn();
      const submission = await resumption(store, runId, from);
      if (submission.caller !== OWNER.name) throw notOurs(runId, submission.caller);
      const journals = createRunJournals({
        stateDirectory: dirname(file),
        maxBytes: config.undo_bytes,
        now: clock.now,
        append: ahead.append,
        flush: ahead.flush,
      });
      await using factotum = createFactotum({ log: { level: 'silent' }, journalOf: journals.of, settleRun: journals.close });
      await using dispatcher = createDispatcher({
        store,
        clock,
        log,
        worker,
        queues: [worker], // so that nothing else is run here
        callerOf: () => OWNER,
        mask: (value) => factotum.masker.known(value),
        runList: factotum.gateway.run,
      });
      await dispatcher.start();
      const { submitted, result } = await dispatcher.runNow({ ...submission, queue: worker }, OWNER);
      signal.addEventListener('abort', () => void dispatcher.cancel(submitted.runId), { once: true });
      if (result === undefined) throw new Error('A new run cannot be known already.');
      return factotum.masker.known(await result) as RunResult; // masking keeps the shape
    },
    async prune() {
      const { undo_bytes, undo_days, runs_days, dead_days, fires_days, audit_days } = config;
      const room = { maxBytes: undo_bytes, maxAgeMs: undo_days * DAY_MS };
      const forgotten = await trimUndo({ store, files: undoFiles, now: clock.now(), ...room });
      const pruned = await store.prune({
        runsMs: runs_days * DAY_MS,
        deadMs: dead_days * DAY_MS,
        firesMs: fires_days * DAY_MS,
        auditMs: audit_days * DAY_MS,
        approvalsMs: runs_days * DAY_MS,
      });
      return { ...pruned, undo: forgotten };
    },
    async [Symbol.asyncDispose]() {
      await undo.close();
      await store.close();
    },
  };
};

const notOurs = (runId: string, caller: string) =>
  new PolicyException(`Run ${runId} was started by ${caller}, whose rights are known to the service alone; resume it there.`, {
    context: { run_id: runId, caller, rule: 'caller' },
  });
