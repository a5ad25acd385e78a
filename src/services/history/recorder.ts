import { StoreException } from '../../core/errors.ts';
import { isLarge } from '../../core/json-pieces.ts';
import type { Log, RunBegun, RunObserver } from '../../core/ports.ts';
import type { RunResult } from '../../core/result.ts';
import { TimeSlice, threadSlices } from '../../lib/async/time-slice.ts';
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

/** The runs of one caller: those of others do not wait for them. */
interface Lane {
  waiting: (Ended | FinishedRun)[];
  working: Promise<void> | undefined;
}

export const createRecorder = ({ store, log, mask, maskFor, versions, setTimer = systemTimer }: RecorderParts): Recorder => {
  /** By caller; those with nothing to do are forgotten. */
  const lanes = new Map<string, Lane>();
  let trouble: string | null = null;
  let lost = 0;
  let waitingInAll = 0;
  let stopTimer: (() => void) | undefined;
  let isClosed = false;

  const recordOf = async (ended: Ended, slice: TimeSlice): Promise<FinishedRun[]> => {
    try {
      return [
        await finishedRunInSlices(ended.run, ended.result, { mask, slice, ...(maskFor && { maskFor }), ...(versions && { versions }) }),
      ];
    } catch (fault) {
      log('error', 'a run cannot be written down', { run_id: ended.run.runId, reason: String(fault) });
      return [];
    }
  };

  /** Hands some runs over; those that the store does not take wait for the next try. */
  const recordSome = async (lane: Lane, some: readonly (Ended | FinishedRun)[], slice: TimeSlice): Promise<void> => {
    let records: FinishedRun[] = [];
    for (const each of some) {
      const made = 'run' in each ? await recordOf(each, slice) : [each];
      records.push(...made);
      if (!made.some(isLarge)) continue;
      await handOver(lane, records); // one long record at a time is in memory twice
      records = [];
    }
    if (records.length > 0) await handOver(lane, records);
  };

  const handOver = async (lane: Lane, records: readonly FinishedRun[]): Promise<void> => {
    const answers = await Promise.allSettled(records.map((record) => store.record(record)));
    const fault = answers.find((answer) => answer.status === 'rejected')?.reason;
    if (fault === undefined) return recovered();
    const refused = records.filter((_, at) => answers[at]?.status === 'rejected');
    if (!isOfTheRun(fault)) return failed(lane, refused, fault);
    // One run that cannot be kept has taken the others of its batch with it.
    for (const record of refused) await recordAlone(lane, record);
  };

  const recordAlone = async (lane: Lane, record: FinishedRun): Promise<void> => {
    try {
      await store.record(record);
    } catch (fault) {
      if (isOfTheRun(fault)) log('error', 'a run cannot be kept', { run_id: record.runId, reason: String(fault) });
      else failed(lane, [record], fault);
    }
  };

  const failed = (lane: Lane, refused: readonly FinishedRun[], fault: unknown) => {
    for (const { waiting } of lanes.values()) letGo(waiting);
    lane.waiting = [...refused, ...lane.waiting];
    waitingInAll += refused.length;
    giveUpOldest();
    const why = fault instanceof Error ? fault.message : String(fault);
    if (trouble === null) log('error', `runs are not recorded: ${why}`);
    trouble = why;
  };

  const recovered = () => {
    if (trouble === null) return;
    log('info', 'runs are recorded again', lost > 0 ? { lost } : {});
    trouble = null;
    lost = 0;
    for (const [caller, { waiting }] of lanes) if (waiting.length > 0) void begin(caller);
  };

  /** Of the caller that has most of them. */
  const giveUpOldest = () => {
    const over = waitingInAll - MOST_WAITING;
    if (over <= 0) return;
    if (lost === 0) log('error', 'too many runs wait to be recorded; the oldest are given up');
    const [longest] = [...lanes.values()].sort((one, other) => other.waiting.length - one.waiting.length);
    const givenUp = longest?.waiting.splice(0, over) ?? [];
    lost += givenUp.length;
    waitingInAll -= givenUp.length;
    letGo(givenUp);
  };

  const work = async (caller: string, lane: Lane): Promise<void> => {
    const slice = new TimeSlice(threadSlices);
    do {
      const some = lane.waiting.splice(0, MOST_AT_ONCE);
      waitingInAll -= some.length;
      await recordSome(lane, some, slice);
      letGo(some);
    } while (lane.waiting.length > 0 && trouble === null);
    lane.working = undefined;
    if (lane.waiting.length === 0) lanes.delete(caller);
    if (trouble === null || isClosed || stopTimer !== undefined) return;
    stopTimer = setTimer(() => {
      stopTimer = undefined;
      beginAll();
    }, RETRY_MS);
  };

  const begin = (caller: string): Promise<void> => {
    const lane = laneOf(caller);
    lane.working ??= new Promise<void>((resolve) => setImmediate(resolve)).then(() => work(caller, lane));
    return lane.working;
  };
  const beginAll = () => Promise.all([...lanes.keys()].map(begin));

  const laneOf = (caller: string): Lane => {
    let lane = lanes.get(caller);
    if (lane === undefined) {
      lane = { waiting: [], working: undefined };
      lanes.set(caller, lane);
    }
    return lane;
  };

  const flush = async () => {
    await beginAll();
  };

  const close = async () => {
    isClosed = true;
    await flush();
    stopTimer?.();
    if (waitingInAll > 0) log('error', 'runs could not be recorded before the end', { lost: waitingInAll + lost });
  };

  return {
    get trouble() {
      return trouble;
    },
    begun: () => {},
    ended(run, result) {
      if (result === undefined || run.isStored === true) return undefined;
      const { waiting } = laneOf(run.caller);
      const tried = new Promise<void>((resolve) => waiting.push({ run, result, tried: resolve }));
      waitingInAll += 1;
      giveUpOldest();
      // In trouble the timer decides, so that a broken store is not asked for every run.
      if (trouble !== null) return undefined;
      void begin(run.caller);
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
