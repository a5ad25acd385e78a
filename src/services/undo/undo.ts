import type { Caller } from '../../access/caller.ts';
import { ExecuteActionException } from '../../core/errors.ts';
import type { Clock, Log } from '../../core/ports.ts';
import type { RunResult } from '../../core/result.ts';
import type { Claim } from '../engine/port/engine.ts';
import type { Store } from '../engine/port.ts';
import { carryOut, lockRun, type Undertaking } from './carry-out.ts';
import { notUndoable } from './not-undoable.ts';
import { UNDO } from './report.ts';
import type { UndoFiles } from './steps.ts';

export interface UndoOptions {
  readonly store: Pick<Store, 'run' | 'runs' | 'submit' | 'claim' | 'heartbeat' | 'settle' | 'nodes' | 'lock' | 'undo'>;
  readonly files: UndoFiles<Caller>;
  readonly clock: Clock;
  readonly log: Log;
  /** Names this process towards the store. */
  readonly worker: string;
  /** The rights of a caller whose undoing was interrupted; undefined where nobody is called so any more. */
  callerOf(name: string): Caller | undefined;
}

/** An undoing that is under way. */
export interface Undoing {
  /** Of the run that undoes. */
  readonly runId: string;
  readonly finished: Promise<RunResult>;
}

/** Takes back what runs changed. */
export interface Undo {
  /** Undoes a run with the rights of a caller. Refuses what is unknown, not over, being undone, or has nothing kept. */
  undo(runId: string, caller: Caller): Promise<Undoing>;
  /** Goes on with what a killed process left half undone, now and whenever its lease passes. */
  start(): Promise<void>;
  /** Waits for what is under way. */
  close(): Promise<void>;
}

/** Undoing is nothing that a worker of the usual queue could do. */
export const UNDO_QUEUE = 'undo';
const LEASE_MS = 30_000;
const LOOK_MS = 30_000;
const MAX_TAKEN = 16;
/** Each time that a process is killed while it undoes is one. */
const MAX_ATTEMPTS = 100;

export const createUndo = (options: UndoOptions): Undo => {
  const { store, log, worker, callerOf } = options;
  const underWay = new Set<Promise<unknown>>();
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;

  const keep = <T>(work: Promise<T>): Promise<T> => {
    underWay.add(work);
    const done = () => underWay.delete(work);
    work.then(done, done);
    return work;
  };

  const carry = (work: Pick<Undertaking, 'claim' | 'undone' | 'caller' | 'lock'>): Promise<RunResult> =>
    keep(carryOut({ ...options, ...work, leaseMs: LEASE_MS, signal: stopping.signal }));

  const demandUndoable = async (runId: string): Promise<void> => {
    const run = await store.run(runId);
    if (run === null) throw refuse(runId, `No run is called ${runId}; list them with factotum runs.`);
    if (run.state === 'queued' || run.state === 'running')
      throw refuse(runId, `Run ${runId} is not over; cancel it or wait for its end, then undo it.`);
    const entries = await store.undo.list(runId);
    if (entries.length === 0) {
      const [lost] = notUndoable(run.commands);
      const why = lost?.message ?? 'It changed no files here, or what was kept of it has expired.';
      throw refuse(runId, `Run ${runId} has nothing to undo. ${why}`);
    }
    if (entries.every(({ state }) => state === 'undone'))
      throw refuse(runId, `Run ${runId} is undone already; there is nothing left to do.`);
  };

  const goOn = async (claim: Claim): Promise<void> => {
    const caller = callerOf(claim.caller);
    const undone = undoneIn(claim);
    if (caller === undefined || undone === undefined) {
      log('warn', 'nobody may go on with an undoing', { run_id: claim.runId, caller: claim.caller });
      return;
    }
    const lock = await lockRun(store, undone);
    if (lock !== null) await carry({ claim, undone, caller, lock });
  };

  const takeOver = async (): Promise<void> => {
    for (const claim of await store.claim({ worker, queues: [UNDO_QUEUE], max: MAX_TAKEN, leaseMs: LEASE_MS })) await goOn(claim);
  };
  const lookAgain = () =>
    void takeOver().catch((fault: Error) => {
      if (!stopping.signal.aborted) log('warn', `an undoing cannot go on: ${fault.message}`);
    });

  return {
    async undo(undone, caller) {
      await demandUndoable(undone);
      const lock = await lockRun(store, undone);
      if (lock === null) throw refuse(undone, `Run ${undone} is being undone, or was until a few seconds ago; try again then.`);
      const { runId, claim } = await store.submit({
        source: 'undo',
        caller: caller.name,
        body: [[UNDO, { run_id: undone }]],
        name: `undo of ${undone}`,
        parent: undone,
        queue: UNDO_QUEUE,
        maxAttempts: MAX_ATTEMPTS,
        claim: { worker, leaseMs: LEASE_MS },
      });
      if (claim === undefined) throw refuse(undone, 'The store did not hand out the run; try again.');
      return { runId, finished: carry({ claim, undone, caller, lock }) };
    },
    async start() {
      await takeOver();
      timer = setInterval(lookAgain, LOOK_MS).unref();
    },
    async close() {
      clearInterval(timer);
      stopping.abort();
      await Promise.allSettled(underWay);
    },
  };
};

const refuse = (runId: string, message: string) => new ExecuteActionException(message, { context: { run_id: runId } });

/** The run that a claimed run undoes, as `undo` wrote it. */
const undoneIn = ({ body }: Claim): string | undefined => {
  const [command] = Array.isArray(body) ? body : [];
  const [, args] = Array.isArray(command) ? command : [];
  const runId = typeof args === 'object' && args !== null && 'run_id' in args ? args.run_id : undefined;
  return typeof runId === 'string' ? runId : undefined;
};
