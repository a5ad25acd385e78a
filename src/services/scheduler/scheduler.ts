import type { Clock, Log, Meters } from '../../core/ports.ts';
import { boundedMap } from '../../lib/async/bounded-map.ts';
import { type SetTimer, systemTimer } from '../../lib/async/timer.ts';
import { nextFire } from '../../lib/cron/next-fire.ts';
import type { RunId } from '../engine/port/runs.ts';
import type { Schedule } from '../engine/port/shelves.ts';
import type { Store } from '../engine/port.ts';
import { createAgenda } from './agenda.ts';
import { createAlarm, type ScheduleAlert } from './alarm.ts';
import { CHANGES, openScheduleBook, type ScheduleBook } from './book.ts';
import { createFiring } from './fire.ts';
import { createHeld } from './held.ts';
import { createJobReader, type Job, settledUntil } from './job.ts';
import { createTurns } from './turns.ts';
import { createWatchdog } from './watchdog.ts';

/** What a scheduler needs of the house. */
export interface SchedulerParts {
  readonly store: Pick<Store, 'schedules' | 'states' | 'fire' | 'run' | 'runs'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Ends a run that waits or is under way. */
  cancel(runId: RunId): Promise<unknown>;
  /** Told when a job keeps its deadline, its longest duration or its rhythm no longer. */
  alert?(alert: ScheduleAlert): void;
  readonly meters?: Pick<Meters, 'scheduleFired'>;
  readonly setTimer?: SetTimer;
}

/** Queues the runs of jobs when they are due. Jobs can be looked at and changed before it is started. */
export interface Scheduler extends ScheduleBook, AsyncDisposable {
  start(): Promise<void>;
  /** A hint that a scheduled run is over: what waits for it is looked at now instead of in some seconds. */
  ended(): void;
  /** Queues nothing more. What is due then is found at the next start. */
  close(): Promise<void>;
}

/** A machine that slept, or a clock that was set, is noticed this soon. */
const LONGEST_SLEEP_MS = 60_000;
/** How often runs are looked at that others wait for. */
const HELD_LOOK_MS = 5_000;
/** Clocks are also corrected by less, which moves no minute. */
const CLOCK_STEP_MS = 1_000;
const RETRY_MS = 5_000;
const SETTLED_AT_ONCE = 256;

/** Makes a scheduler over a store; nothing happens before it is started. */
export const createScheduler = (parts: SchedulerParts): Scheduler => {
  const { store, clock, log, cancel, meters = { scheduleFired: () => {} }, setTimer = systemTimer } = parts;
  const readJob = createJobReader();
  const inTurn = createTurns();
  const agenda = createAgenda();
  const held = createHeld(store);
  const alarm = createAlarm(log, parts.alert ?? (() => {}));
  const watchdog = createWatchdog({ store, clock, alarm, cancel });
  const firing = createFiring({ store, clock, log, meters, held, alarm, cancel, onFired: watchdog.watchRun });
  /** Names of jobs that were added, changed or removed here. */
  const changed = new Set<string>();
  let isStarted = false;
  let isClosed = false;
  let stopTimer = () => {};
  let working: Promise<void> | undefined;
  let isAskedAgain = false;
  let wokeAt = 0;
  let heldLookAt = 0;
  let knownChanges: unknown;
  let isStoreWell = true;

  /** Puts the first time after `since` on the agenda; one that has come by now is due at once. */
  const plan = (job: Job, since: number) => {
    const next = nextFire(job.cron, job.zone, since);
    if (next !== undefined) agenda.set(job.name, next);
  };

  /** The job if it is to run; undefined where it is gone, paused or cannot be read. */
  const active = (name: string, stored: Schedule | null): Job | undefined => {
    try {
      if (stored?.isEnabled === true) return readJob(stored);
    } catch (fault) {
      log('error', 'a stored job cannot be read and is left alone', { schedule: name, reason: String(fault) });
    }
    agenda.remove(name);
    watchdog.forget(name);
    return undefined;
  };

  const takeIn = (name: string, stored: Schedule | null) => {
    const job = active(name, stored);
    if (job === undefined) return;
    plan(job, settledUntil(job, clock.now()));
    watchdog.watch(job);
  };

  const takeInChanges = async () => {
    const changes = await store.states.get(CHANGES.kind, CHANGES.name);
    if (changes !== knownChanges) {
      const all = await store.schedules.list();
      agenda.clear();
      watchdog.forgetAllBut(new Set(all.map(({ name }) => name)));
      for (const stored of all) takeIn(stored.name, stored);
    }
    knownChanges = undefined; // should the rest fail, everything is read again
    const names = [...changed];
    changed.clear();
    await boundedMap(names, SETTLED_AT_ONCE, async (name) => takeIn(name, await store.schedules.get(name)));
    knownChanges = changes;
  };

  /** Deals with a job as it stands in the store now: it may have been paused or changed by another process. */
  const withJob = async (name: string, deal: (job: Job) => Promise<void>): Promise<void> => {
    const job = active(name, await store.schedules.get(name));
    await (job === undefined ? held.keep(name, []) : deal(job));
  };

  const settle = async (name: string): Promise<void> => {
    await withJob(name, async (job) => {
      await firing.settle(job);
      plan(job, clock.now());
    });
    if (held.of(name).length > 0) await withJob(name, firing.release);
  };

  /** One job that cannot be dealt with keeps none of the others waiting; it stays due. */
  const settleAll = async (names: readonly string[]) => {
    let fault: unknown;
    await boundedMap(names, SETTLED_AT_ONCE, async (name) => {
      try {
        await settle(name);
      } catch (caught) {
        fault = caught;
        agenda.set(name, clock.now() + RETRY_MS);
      }
    });
    if (fault !== undefined) throw fault;
  };

  const work = async () => {
    const now = clock.now();
    if (now < wokeAt - CLOCK_STEP_MS) knownChanges = undefined; // the clock was set back: what was planned is too late
    wokeAt = now;
    await takeInChanges();
    await settleAll(agenda.takeDue(now));
    if (held.names().length > 0 && heldLookAt <= now) {
      heldLookAt = now + HELD_LOOK_MS;
      await boundedMap(held.names(), SETTLED_AT_ONCE, (name) => withJob(name, firing.release));
    }
    await watchdog.look();
  };

  /** A store that does not answer is no reason to stop: what is due stays due. */
  const workSafely = async () => {
    try {
      await inTurn(work);
      if (!isStoreWell) log('info', 'the scheduler works again');
      isStoreWell = true;
    } catch (fault) {
      if (isStoreWell) log('error', 'the scheduler cannot go on and tries again', { reason: String(fault) });
      isStoreWell = false;
    }
  };

  const wake = async () => {
    if (isClosed || !isStarted) return;
    if (working !== undefined) {
      isAskedAgain = true;
      return;
    }
    stopTimer();
    isAskedAgain = false;
    working = workSafely();
    await working;
    working = undefined;
    if (isAskedAgain) return wake();
    if (!isClosed) stopTimer = setTimer(() => void wake(), sleepMs());
  };

  const sleepMs = (): number => {
    if (!isStoreWell) return RETRY_MS;
    const now = clock.now();
    const next = [agenda.nextAt, watchdog.nextAt, held.names().length > 0 ? heldLookAt : undefined].flatMap((at) => at ?? []);
    return Math.max(0, Math.min(LONGEST_SLEEP_MS, ...next.map((at) => at - now)));
  };

  const book = openScheduleBook({
    store,
    clock,
    setTimer,
    inTurn,
    listener: {
      isAtWork: () => isStarted && !isClosed,
      changed(names) {
        for (const name of names) changed.add(name);
        void wake();
      },
    },
  });

  const close = async () => {
    isClosed = true;
    stopTimer();
    await working;
  };

  return {
    ...book,
    async start() {
      if (isStarted) return;
      await held.load();
      isStarted = true;
      await wake();
    },
    ended() {
      heldLookAt = 0;
      if (held.names().length > 0) void wake();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
};
