import { randomUUID } from 'node:crypto';
import { countCommands } from '../../core/count-commands.ts';
import type { NewSchedule, ScheduleSnapshot, Schedules } from '../../core/ports/scheduler.ts';
import type { Clock } from '../../core/ports.ts';
import { boundedMap } from '../../lib/async/bounded-map.ts';
import { pauseFor, type SetTimer } from '../../lib/async/timer.ts';
import { nextFire, nextFires } from '../../lib/cron/next-fire.ts';
import { isoIn } from '../../lib/cron/time-zone.ts';
import type { Schedule } from '../engine/port/shelves.ts';
import type { Store } from '../engine/port.ts';
import { goingRun, goingRunsOf } from './going.ts';
import { createJobReader, type JobNotes, toOptions } from './job.ts';
import { configuredJob, demandName, doubleJob, neverFires, noList, switchedOff, unknownJob } from './job-faults.ts';
import { snapshotOf } from './snapshot.ts';
import { createTurns, type InTurn } from './turns.ts';

/** Where a change of jobs is told to other processes on the same store. */
export const CHANGES = { kind: 'scheduler', name: 'changes' } as const;

/** What the jobs are kept in, and who cares about them. */
export interface BookParts {
  readonly store: Pick<Store, 'schedules' | 'states' | 'run' | 'runs'>;
  readonly clock: Clock;
  readonly setTimer: SetTimer;
  /** The scheduler of this process. Where none is at work, changes are written down for that of another. */
  readonly listener?: ChangeListener;
  /** Jobs are read, changed and put back as a whole, so nobody else may change them meanwhile. */
  readonly inTurn?: InTurn;
}

/** Whoever acts on jobs. */
export interface ChangeListener {
  isAtWork(): boolean;
  changed(names: readonly string[]): void;
}

/** The jobs as they stand in the store. A scheduler in another process learns of changes within a minute. */
export interface ScheduleBook extends Pick<Schedules, 'check'> {
  /** Waits until no run of the job waits or goes on. */
  drained(name: string, signal: AbortSignal): Promise<void>;
  /** Stores a job for this caller, as whom its list will run. */
  add(job: NewSchedule, caller: string): Promise<ScheduleSnapshot>;
  remove(name: string): Promise<ScheduleSnapshot>;
  /** Removes all jobs but those of the configuration, or those among them that are wanted away. */
  removeAll(isWanted?: (name: string) => boolean): Promise<readonly ScheduleSnapshot[]>;
  list(): Promise<readonly ScheduleSnapshot[]>;
  /** The names of the jobs that a caller has stored. */
  namesOf(caller: string): Promise<readonly string[]>;
  next(name: string, count: number): Promise<readonly string[]>;
  pause(name: string): Promise<ScheduleSnapshot>;
  resume(name: string): Promise<ScheduleSnapshot>;
  /** Makes the jobs of the configuration those that are given; answers how many there are. Counts and pauses of known ones stay. */
  configure(jobs: readonly ConfiguredSchedule[]): Promise<number>;
}

/** A job that stands in the configuration. */
export interface ConfiguredSchedule extends NewSchedule {
  readonly isEnabled: boolean;
}

const DRAIN_LOOK_MS = 500;
const LOOKS_AT_ONCE = 256;
/** Jobs of the configuration are the owner's. */
const OWNER_NAME = 'owner';

/** Opens the jobs of a store. */
export const openScheduleBook = ({ store, clock, setTimer, listener, inTurn = createTurns() }: BookParts): ScheduleBook => {
  const readJob = createJobReader();
  const { schedules } = store;

  /** All in one turn of the event loop, so that the store commits it together. */
  const changed = async (names: readonly string[], write: () => readonly Promise<unknown>[]): Promise<void> => {
    const isHeard = listener?.isAtWork() === true;
    const mark = () => store.states.put(CHANGES.kind, CHANGES.name, randomUUID());
    await Promise.all(isHeard ? write() : [...write(), mark()]);
    listener?.changed(names);
  };

  const shown = async (stored: Schedule): Promise<ScheduleSnapshot> =>
    snapshotOf(readJob(stored), (await goingRun(store, stored.lastRunId)) !== undefined, clock.now());

  const shownAll = (all: readonly Schedule[]) => boundedMap(all, LOOKS_AT_ONCE, shown);

  const demand = async (name: string): Promise<Schedule> => {
    const stored = await schedules.get(name);
    if (stored === null) throw unknownJob(name);
    return stored;
  };

  const change = (name: string, edit: (stored: Schedule, notes: JobNotes) => Partial<Schedule>) =>
    inTurn(async () => {
      const stored = await demand(name);
      const next = { ...stored, ...edit(stored, readJob(stored).notes) };
      await changed([name], () => [schedules.put(next)]);
      return shown(next);
    });

  const prepare = (job: NewSchedule, notes: Omit<JobNotes, 'rules'>): Schedule => {
    demandName(job.name);
    if (countCommands(job.actions) === undefined) throw noList(job.name);
    const stored: Schedule = {
      name: job.name,
      cron: job.cron,
      timezone: job.timeZone ?? null,
      body: job.actions,
      options: toOptions({ rules: job.rules ?? {}, ...notes }),
      isEnabled: true,
      createdAt: clock.now(),
      lastSlot: null,
      lastRunId: null,
      runs: 0,
      skipped: 0,
    };
    const { cron, zone } = readJob(stored);
    if (nextFire(cron, zone, clock.now()) === undefined) throw neverFires(job);
    return stored;
  };

  /** A known job keeps its counts and its pause; times that came before a new expression was written do not count. */
  const reconfigured = ({ isEnabled, ...job }: ConfiguredSchedule, known: Schedule | undefined): Schedule => {
    const notes = known === undefined ? undefined : readJob(known).notes;
    const isPaused = notes?.isPaused ?? false;
    const hasSameTimes = known?.cron === job.cron && known.timezone === (job.timeZone ?? null);
    const since = hasSameTimes && notes !== undefined ? notes.since : clock.now();
    const fresh = prepare(job, { caller: OWNER_NAME, isConfigured: true, isPaused, since });
    const kept = known && { createdAt: known.createdAt, lastSlot: known.lastSlot, lastRunId: known.lastRunId };
    return { ...fresh, ...kept, runs: known?.runs ?? 0, skipped: known?.skipped ?? 0, isEnabled: isEnabled && !isPaused };
  };

  return {
    check: (job) => void prepare(job, { caller: OWNER_NAME, isConfigured: false, isPaused: false, since: clock.now() }),

    add: (job, caller) =>
      inTurn(async () => {
        const stored = prepare(job, { caller, isConfigured: false, isPaused: false, since: clock.now() });
        if ((await schedules.get(job.name)) !== null) throw doubleJob(job.name);
        await changed([job.name], () => [schedules.put(stored)]);
        return snapshotOf(readJob(stored), false, clock.now());
      }),

    remove: (name) =>
      inTurn(async () => {
        const stored = await demand(name);
        if (readJob(stored).notes.isConfigured) throw configuredJob(name);
        const snapshot = await shown(stored);
        await changed([name], () => [schedules.remove(name)]);
        return snapshot;
      }),

    removeAll: (isWanted = () => true) =>
      inTurn(async () => {
        const removable = (await schedules.list()).map(readJob).filter(({ name, notes }) => !notes.isConfigured && isWanted(name));
        const snapshots = await shownAll(removable.map(({ stored }) => stored));
        const names = removable.map(({ name }) => name);
        await changed(names, () => names.map((name) => schedules.remove(name)));
        return snapshots;
      }),

    list: async () => shownAll(await schedules.list()),

    namesOf: async (caller) => (await schedules.list()).filter((stored) => readJob(stored).notes.caller === caller).map(({ name }) => name),

    async next(name, count) {
      const { cron, zone } = readJob(await demand(name));
      return nextFires(cron, zone, clock.now(), count).map((fire) => isoIn(zone, fire));
    },

    pause: (name) => change(name, (_, notes) => ({ isEnabled: false, options: toOptions({ ...notes, isPaused: true }) })),

    resume: (name) =>
      change(name, (stored, notes) => {
        if (!notes.isPaused) {
          if (stored.isEnabled) return {};
          throw switchedOff(name);
        }
        return { isEnabled: true, options: toOptions({ ...notes, isPaused: false, since: clock.now() }) };
      }),

    async drained(name, signal) {
      await demand(name);
      while ((await goingRunsOf(store, name)).length > 0) await pauseFor(DRAIN_LOOK_MS, setTimer, signal);
    },

    configure: (jobs) =>
      inTurn(async () => {
        const known = new Map((await schedules.list()).map((stored) => [stored.name, stored]));
        const wanted = new Set(jobs.map(({ name }) => name));
        const gone = [...known.values()].filter((stored) => readJob(stored).notes.isConfigured && !wanted.has(stored.name));
        const stored = jobs.map((job) => reconfigured(job, known.get(job.name)));
        const names = [...wanted, ...gone.map(({ name }) => name)];
        await changed(names, () => [...gone.map(({ name }) => schedules.remove(name)), ...stored.map((each) => schedules.put(each))]);
        return jobs.length;
      }),
  };
};
