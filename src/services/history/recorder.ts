import { StoreException } from '../../core/errors.ts';
import type { Log, RunBegun, RunObserver } from '../../core/ports.ts';
import type { RunResult } from '../../core/result.ts';
import { createSliceQueue, TimeSlice } from '../../lib/async/time-slice.ts';
import { type SetTimer, systemTimer } from '../../lib/async/timer.ts';
import type { FinishedRun } from '../engine/port/runs.ts';
import type { Store } from '../engine/port.ts';
import { type FinishedRunRules, finishedRunInSlices } from './finished-run.ts';

export interface RecorderParts extends FinishedRunRules {
  readonly store: Pick<Store, 'record'>;
  readonly log: Log;
  readonly setTimer?: SetTimer;
}

/** Writes every run that ends into the store before anybody gets its result, so that none is lost with the process; in trouble, later. */
export interface Recorder extends RunObserver, AsyncDisposable {
  /** Why runs are not recorded now; null while they are. */
  readonly trouble: string | null;
  /** Waits until all runs that have ended so far are recorded, or cannot be. */
  flush(): Promise<void>;
  /** Tries what waits once more, and stops. */
  close(): Promise<void>;
}

const RETRY_MS = 5_000;
/** Runs that wait for the store; beyond this the oldest are given up. */
const MOST_WAITING = 10_000;
/** Runs handed to the store at a time: they are committed together. */
const MOST_AT_ONCE = 64;

interface Ended {
  readonly run: RunBegun;
  readonly result: RunResult;
  /** Called when the store has taken it, or has refused it for now. */
  tried(): void;
}

export const createRecorder = ({ store, log, mask, versions, setTimer = systemTimer }: RecorderParts): Recorder => {
  let waiting: (Ended | FinishedRun)[] = [];
  let trouble: string | null = null;
  let lost = 0;
  let working: Promise<void> | undefined;
  let stopTimer = () => {};
  let isClosed = false;
  const slice = new TimeSlice(createSliceQueue());

  const recordOf = async (ended: Ended): Promise<FinishedRun[]> => {
    try {
      return [await finishedRunInSlices(ended.run, ended.result, { mask, slice, ...(versions && { versions }) })];
    } catch (fault) {
      log('error', 'a run cannot be written down', { run_id: ended.run.runId, reason: String(fault) });
      return [];
    }
  };

  /** Hands some runs over; those that the store does not take wait for the next try. */
  const recordSome = async (some: readonly (Ended | FinishedRun)[]): Promise<void> => {
    const records: FinishedRun[] = [];
    for (const each of some) records.push(...('run' in each ? await recordOf(each) : [each]));
    const answers = await Promise.allSettled(records.map((record) => store.record(record)));
    const fault = answers.find((answer) => answer.status === 'rejected')?.reason;
    if (fault === undefined) return recovered();
    const refused = records.filter((_, at) => answers[at]?.status === 'rejected');
    if (!isOfTheRun(fault)) return failed(refused, fault);
    // One run that cannot be kept has taken the others of its batch with it.
    for (const record of refused) await recordAlone(record);
  };

  const recordAlone = async (record: FinishedRun): Promise<void> => {
    try {
      await store.record(record);
    } catch (fault) {
      if (isOfTheRun(fault)) log('error', 'a run cannot be kept', { run_id: record.runId, reason: String(fault) });
      else failed([record], fault);
    }
  };

  const failed = (refused: readonly FinishedRun[], fault: unknown) => {
    letGo(waiting);
    waiting = [...refused, ...waiting];
    giveUpOldest();
    const why = fault instanceof Error ? fault.message : String(fault);
    if (trouble === null) log('error', `runs are not recorded: ${why}`);
    trouble = why;
  };

  const recovered = () => {
    if (trouble !== null) log('info', 'runs are recorded again', lost > 0 ? { lost } : {});
    trouble = null;
    lost = 0;
  };

  const giveUpOldest = () => {
    const over = waiting.length - MOST_WAITING;
    if (over <= 0) return;
    if (lost === 0) log('error', 'too many runs wait to be recorded; the oldest are given up');
    lost += over;
    letGo(waiting.splice(0, over));
  };

  const work = async (): Promise<void> => {
    stopTimer();
    do {
      const some = waiting.splice(0, MOST_AT_ONCE);
      await recordSome(some);
      letGo(some);
    } while (waiting.length > 0 && trouble === null);
    working = undefined;
    if (trouble !== null && !isClosed) stopTimer = setTimer(begin, RETRY_MS);
  };

  const begin = (): Promise<void> => {
    working ??= new Promise<void>((resolve) => setImmediate(resolve)).then(work);
    return working;
  };

  const flush = async () => {
    if (working !== undefined || waiting.length > 0) await begin();
  };

  const close = async () => {
    isClosed = true;
    await flush();
    stopTimer();
    if (waiting.length > 0) log('error', 'runs could not be recorded before the end', { lost: waiting.length + lost });
  };

  return {
    get trouble() {
      return trouble;
    },
    begun: () => {},
    ended(run, result) {
      if (result === undefined || run.isStored === true) return undefined;
      const tried = new Promise<void>((resolve) => waiting.push({ run, result, tried: resolve }));
      giveUpOldest();
      // In trouble the timer decides, so that a broken store is not asked for every run.
      if (trouble !== null) return undefined;
      void begin();
      return tried;
    },
    flush,
    close,
    [Symbol.asyncDispose]: close,
  };
};

/** Nobody waits for more than one try. */
const letGo = (some: readonly (Ended | FinishedRun)[]): void => {
  for (const each of some) if ('run' in each) each.tried();
};

/** Not the store is in trouble but what it was given: the next try would end the same way. */
const isOfTheRun = (fault: unknown): boolean => fault instanceof StoreException && fault.context.fault === 'unexpected';
