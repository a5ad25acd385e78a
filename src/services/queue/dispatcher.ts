import { hostname } from 'node:os';
import type { Caller } from '../../access/caller.ts';
import { QueueException } from '../../core/errors.ts';
import type { Clock, Log, Meters } from '../../core/ports.ts';
import { OWNER_NAME } from '../../core/reach.ts';
import type { RunResult } from '../../core/result.ts';
import type { RetryRule } from '../../core/retry.ts';
import { type SetTimer, systemTimer } from '../../lib/async/timer.ts';
import type { Claim, Submission, Submitted } from '../engine/port/engine.ts';
import type { Run, RunFacts, RunId, RunState } from '../engine/port/runs.ts';
import type { Store } from '../engine/port.ts';
import { type CarriedOut, createCarryOut, type RunList } from './carry-out.ts';
import { createHeldRuns, type HeldRun } from './held-runs.ts';
import { createIntake } from './intake.ts';
import { createPersist } from './persist.ts';
import { resumption } from './resume.ts';
import type { ResumePoint } from './resume-point.ts';
import { createSettler } from './settler.ts';
import { takeBack } from './take-back.ts';

/** A run of the store that has ended, or waits for a verdict. */
export interface EndedRun {
  readonly claim: Pick<Claim, 'runId' | 'source' | 'caller' | 'name'>;
  readonly state: RunState;
  /** The result, or why there is none. */
  readonly outcome: RunResult | Error;
}

export interface DispatcherParts {
  readonly store: Pick<
    Store,
    'submit' | 'claim' | 'abandon' | 'heartbeat' | 'settle' | 'nodes' | 'cancel' | 'run' | 'runs' | 'onQueued' | 'queue'
  >;
  readonly clock: Clock;
  readonly log: Log;
  /** Runs a list as this caller: the gateway's `run`. */
  readonly runList: RunList;
  /** The rights behind a name; undefined where nobody has that name any more, and nothing is run. */
  callerOf(name: string): Caller | undefined;
  /** Takes secrets out of values before they are kept. */
  mask(value: unknown): unknown;
  /** The same for what came of a list, with the secrets that stand in it; left out: as `mask`. */
  maskFor?(request: unknown): (value: unknown) => unknown;
  /** Told of every run that has ended here, and of those that a crash has left to a verdict or as dead letters. */
  onEnded?(run: EndedRun): void;
  readonly meters?: Pick<Meters, 'queueDepth'>;
  /** The same after every restart, so that what this worker had is known to be free; one process at a time may use it. */
  readonly worker?: string;
  readonly queues?: readonly string[];
  readonly tags?: readonly string[];
  /** Written down with every run: `{ factotum: '1.2.3' }`. */
  readonly versions?: RunFacts['versions'];
  /** How many runs go on at the same time. */
  readonly maxRuns?: number;
  readonly leaseMs?: number;
  /** How long items of the queue wait before they are tried again. */
  readonly retry?: RetryRule;
  readonly setTimer?: SetTimer;
  readonly random?: () => number;
}

/** Runs what is queued in the store. */
export interface Dispatcher extends AsyncDisposable {
  /** Takes back what this worker had when it ended, and begins. */
  start(): Promise<void>;
  /**
   * Runs a list at once, past the queue, and keeps it in the store while it goes. A known key or id is not run again. The result rejects
   * where the list is refused as a whole, or cut short and to be gone on with later.
   */
  runNow(submission: Submission, caller: Caller): Promise<{ readonly submitted: Submitted; readonly result?: Promise<RunResult> }>;
  /** Ends a run that waits or goes on, here at once and elsewhere at its next sign of life. */
  cancel(runId: RunId): Promise<'cancelled' | 'requested' | 'finished'>;
  /** Gives a sign of life for all that goes on here; for whoever else is about to claim runs of the store. */
  beat(): Promise<void>;
  /** Queues a run that goes on where another one has ended; what that had finished appears as `reused`. */
  resume(runId: RunId, from?: ResumePoint): Promise<RunId>;
  /** Takes nothing more, gives what goes on some time, then stops it so that the next start goes on with it. */
  close(options?: { readonly drainMs?: number }): Promise<void>;
}

/** Of the places of the queue one in so many is the owner's alone, and one in so many is all that one caller with limits may have. */
const OWNERS_PART = 8;
const ONES_PART = 4;

/** What a run takes while it goes on, told its caller; what it answers gives that back. */
type Placed = (caller: string) => () => void;
/** Runs that did not come through the queue take no place of it: others count those. */
const NO_PLACE: Placed = () => () => {};

const LEASE_MS = 30_000;
const BEAT_MS = 5_000;
/** Runs that only wait for the store hold no place, but not without bound. */
const MOST_UNSETTLED = 1_000;
const DRAIN_MS = 4_000;
/** What does not heed its signal this long after it was stopped is left to the next start. */
const PATIENCE_MS = 500;
const RETRY: RetryRule = { attempts: 3, backoffS: 2, capS: 300 };

export const createDispatcher = (parts: DispatcherParts): Dispatcher => {
  const { store, clock, log, mask, meters, onEnded, setTimer = systemTimer, random = Math.random } = parts;
  const { worker = `service@${hostname()}`, queues = ['default'], tags = [], maxRuns = 64, leaseMs = LEASE_MS } = parts;
  const versions = parts.versions === undefined ? {} : { versions: parts.versions };
  const givingUp = new AbortController();
  const persist = createPersist({ log, setTimer });
  const held = createHeldRuns({ store, clock, leaseMs });
  const carryOut = createCarryOut({
    ...parts,
    store,
    setTimer,
    persist,
    random,
    mask,
    retry: parts.retry ?? RETRY,
    settle: createSettler({ store, persist, signal: givingUp.signal }),
  });
  const going = new Set<Promise<unknown>>();
  let isStarted = false;
  let isClosing = false;
  let underWay = 0;
  /** Of the places those that callers with limits have, by name. */
  const heldPlaces = new Map<string, number>();
  const mostOfOne = Math.max(1, Math.floor(maxRuns / ONES_PART));
  const mostOfLimited = Math.max(1, maxRuns - Math.ceil(maxRuns / OWNERS_PART));
  let forgetQueued = () => {};
  let stopBeating = () => {};

  const tellEnd = (claim: Claim, { end, outcome }: CarriedOut) => {
    if (end !== 'retry') onEnded?.({ claim, state: end, outcome });
  };

  /** Runs that a crash has ended, or of which nobody knows how far they got. */
  const tellStranded = (run: Run) => {
    const { runId, state, error } = run;
    log('warn', `a run was cut short by the end of its process and is ${state} now`, { run_id: runId });
    const remedy = state === 'indeterminate' ? ` Say what became of it with factotum queue judge ${runId} done|retry|fail.` : '';
    onEnded?.({ claim: run, state, outcome: new QueueException(`${error?.message ?? 'The run was cut short.'}${remedy}`) });
  };

  /** Carries a run out to its settlement. A fault of ours leaves it to whoever has it after its lease. */
  const take = (claim: Claim, as?: Caller, placed: Placed = NO_PLACE): Promise<CarriedOut | undefined> => {
    const run: HeldRun = held.hold(claim);
    const tellFault = (message: string) => (fault: unknown) => log('error', message, { run_id: claim.runId, reason: String(fault) });
    const onOver = placed(claim.caller);
    const carried = carryOut(run, onOver, as)
      .catch(tellFault('a run could not be settled'))
      .then((ended) => ended ?? undefined)
      .finally(() => held.drop(run));
    const told = carried.then((ended) => ended && tellEnd(claim, ended)).catch(tellFault('the end of a run could not be told'));
    going.add(told);
    void told.then(() => going.delete(told));
    return carried;
  };

  /** Counts a place of the queue for a caller, until what it answers is called. */
  const place: Placed = (caller) => {
    const isLimited = caller !== OWNER_NAME;
    const count = (step: number) => {
      underWay += step;
      if (isLimited) heldPlaces.set(caller, (heldPlaces.get(caller) ?? 0) + step);
      if (heldPlaces.get(caller) === 0) heldPlaces.delete(caller);
    };
    count(1);
    return () => {
      count(-1);
      // One with limits may have had more waiting than it has places, however many were free.
      if (isLimited) intake.queued();
      else intake.freed();
    };
  };

  const intake = createIntake({
    async claim(max) {
      await held.beatIfLate();
      return store.claim({
        worker,
        queues,
        tags,
        max,
        leaseMs,
        places: { held: Object.fromEntries(heldPlaces), mostOfOne, mostOfLimited },
        ...versions,
      });
    },
    freePlaces: () => Math.min(maxRuns - underWay, MOST_UNSETTLED - held.size),
    take: (claim) => void take(claim, undefined, place),
    log,
    setTimer,
  });

  const beat = async () => {
    try {
      await held.beat();
      for (const queue of meters === undefined ? [] : queues) meters?.queueDepth(queue, await store.queue.size('ready', queue));
    } catch (fault) {
      log('debug', 'a sign of life could not be given', { reason: String(fault) });
    }
  };

  const beatRegularly = () => {
    void beat();
    stopBeating = setTimer(beatRegularly, Math.min(BEAT_MS, leaseMs / 3));
  };

  const allOver = async () => {
    await intake.stop();
    await Promise.all(going);
  };

  const within = (ms: number, work: Promise<unknown>): Promise<void> =>
    new Promise((resolve) => {
      const stop = setTimer(resolve, ms);
      void work.then(() => {
        stop();
        resolve();
      });
    });

  const close: Dispatcher['close'] = async ({ drainMs = DRAIN_MS } = {}) => {
    isClosing = true;
    forgetQueued();
    await within(drainMs, allOver());
    for (const run of held.all()) run.stop('stopped');
    await within(PATIENCE_MS, allOver());
    stopBeating();
    givingUp.abort();
    for (const run of held.all()) run.stop('lost');
  };

  return {
    async start() {
      if (isStarted || isClosing) return;
      const stranded = await takeBack(store, worker);
      isStarted = true;
      for (const run of stranded) tellStranded(run);
      forgetQueued = store.onQueued(intake.queued);
      intake.start();
      beatRegularly();
    },
    async runNow(submission, caller) {
      if (!isStarted || isClosing)
        throw new QueueException('The service does not take runs now; try again when it has started.', { retryable: true });
      const submitted = await store.submit({ ...submission, ...versions, claim: { worker, leaseMs } });
      if (submitted.claim === undefined) return { submitted };
      const result = take(submitted.claim, caller).then((ended) => {
        if (ended === undefined) throw lost(submitted.runId);
        if (ended.end === 'retry' || ended.end === 'indeterminate') throw unfinished(submitted.runId);
        if (ended.outcome instanceof Error) throw ended.outcome;
        return ended.outcome;
      });
      return { submitted, result };
    },
    async cancel(runId) {
      const answer = await store.cancel(runId);
      if (answer === 'requested') held.get(runId)?.stop('cancelled');
      return answer;
    },
    beat: held.beat,
    async resume(runId, from) {
      return (await store.submit(await resumption(store, runId, from))).runId;
    },
    close,
    [Symbol.asyncDispose]: () => close(),
  };
};

const lost = (runId: RunId) =>
  new QueueException(`The run ${runId} is no longer in the hands of this service; look at its record.`, { context: { run_id: runId } });

const unfinished = (runId: RunId) =>
  new QueueException(`The run ${runId} was cut short and is gone on with later; look at its record then.`, {
    context: { run_id: runId },
    retryable: true,
  });
