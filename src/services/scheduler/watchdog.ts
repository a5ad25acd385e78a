import type { Clock } from '../../core/ports.ts';
import type { RunId, RunRecord } from '../engine/port/runs.ts';
import type { Store } from '../engine/port.ts';
import { type Agenda, createAgenda } from './agenda.ts';
import type { Alarm } from './alarm.ts';
import { goingRun } from './going.ts';
import type { Job } from './job.ts';
import { scheduledRunId, slotOf } from './run-id.ts';
import { lastSlots } from './slots.ts';

/** What a watchdog needs of the scheduler. */
export interface WatchdogParts {
  readonly store: Pick<Store, 'run'>;
  readonly clock: Clock;
  readonly alarm: Alarm;
  cancel(runId: RunId): Promise<unknown>;
}

/** Looks after runs that may start too late or take too long, and after jobs that do not succeed any more. */
export interface Watchdog {
  /** Looks after a job, and after its last run. */
  watch(job: Job): void;
  watchRun(job: Job, runId: RunId): void;
  forget(name: string): void;
  forgetAllBut(names: ReadonlySet<string>): void;
  /** Does what is due by now. */
  look(): Promise<void>;
  readonly nextAt: number | undefined;
}

/** How many past times are asked for a success. */
const MOST_ASKED = 5_000;

/** Makes a watchdog that looks after nothing yet. */
export const createWatchdog = ({ store, clock, alarm, cancel }: WatchdogParts): Watchdog => {
  /** By run id. */
  const runs = new Map<RunId, Job>();
  const runChecks = createAgenda();
  /** By name. */
  const jobs = new Map<string, Job>();
  const jobChecks = createAgenda();

  const lookAtRun = async (runId: RunId): Promise<void> => {
    const job = runs.get(runId);
    const run = await goingRun(store, runId);
    if (job === undefined || run === undefined) return void runs.delete(runId);
    const { kind, at } = nextLimit(job, run, clock.now());
    if (kind !== undefined && at <= clock.now()) {
      await cancel(runId);
      runs.delete(runId);
      alarm.raise(job, kind, { slot: slotOf(runId), runId });
    } else if (Number.isFinite(at)) runChecks.set(runId, at);
    else runs.delete(runId);
  };

  const lookAtJob = async (name: string): Promise<void> => {
    const job = jobs.get(name);
    if (job === undefined || job.rules.expectEveryS === null) return;
    const withinMs = job.rules.expectEveryS * 1000;
    const now = clock.now();
    const succeededAt = await lastSuccess(job, now - withinMs, now);
    if (succeededAt === undefined) alarm.raise(job, 'expect_every');
    jobChecks.set(name, (succeededAt ?? now) + withinMs);
  };

  /** When the last run ended well, if that was after `since`. Ids follow from times, so nothing has to be searched. */
  const lastSuccess = async (job: Job, since: number, now: number): Promise<number | undefined> => {
    // A run that was due before may have ended since.
    const slots = lastSlots(job, since - (now - since), now, MOST_ASKED);
    for (const slot of slots.toReversed()) {
      const run = await store.run(scheduledRunId(job.name, slot));
      if (run?.state === 'ok' && run.endedAt !== null && run.endedAt > since) return run.endedAt;
    }
    return undefined;
  };

  const watchRun = (job: Job, runId: RunId) => {
    const { deadlineS, maxDurationS } = job.rules;
    if (deadlineS === null && maxDurationS === null) return;
    runs.set(runId, job);
    runChecks.set(runId, clock.now());
  };

  const forget = (name: string) => {
    jobs.delete(name);
    jobChecks.remove(name);
  };

  return {
    watchRun,
    watch(job) {
      const { rules, notes, stored, name } = job;
      if (stored.lastRunId !== null) watchRun(job, stored.lastRunId);
      const known = jobs.get(name);
      jobs.set(name, job);
      if (known !== undefined && known.rules.expectEveryS === rules.expectEveryS && known.notes.since === notes.since) return;
      jobChecks.remove(name);
      if (rules.expectEveryS === null) jobs.delete(name);
      else jobChecks.set(name, Math.max(notes.since + rules.expectEveryS * 1000, clock.now()));
    },
    forget,
    forgetAllBut(names) {
      for (const name of [...jobs.keys()]) if (!names.has(name)) forget(name);
    },
    async look() {
      await lookAtAll(runChecks, lookAtRun, clock.now());
      await lookAtAll(jobChecks, lookAtJob, clock.now());
    },
    get nextAt() {
      return earliest(runChecks, jobChecks);
    },
  };
};

/** What could not be looked at is due again. */
const lookAtAll = async (checks: Agenda, look: (key: string) => Promise<void>, now: number): Promise<void> => {
  const due = checks.takeDue(now);
  for (const [at, key] of due.entries()) {
    try {
      await look(key);
    } catch (fault) {
      for (const left of due.slice(at)) checks.set(left, now);
      throw fault;
    }
  }
};

const earliest = (...agendas: readonly Agenda[]): number | undefined => {
  const times = agendas.flatMap(({ nextAt }) => nextAt ?? []);
  return times.length === 0 ? undefined : Math.min(...times);
};

/** Which limit a run meets next, and when to look. One that waits cannot have taken too long before it has started. */
const nextLimit = (
  { rules: { deadlineS, maxDurationS } }: Job,
  { startedAt, runAt }: RunRecord,
  now: number,
): { readonly kind: 'deadline' | 'max_duration' | undefined; readonly at: number } => {
  const longestMs = maxDurationS === null ? Number.POSITIVE_INFINITY : maxDurationS * 1000;
  if (startedAt !== null) return { kind: 'max_duration', at: startedAt + longestMs };
  const deadline = deadlineS === null ? Number.POSITIVE_INFINITY : runAt + deadlineS * 1000;
  return deadline <= now + longestMs ? { kind: 'deadline', at: deadline } : { kind: undefined, at: now + longestMs };
};
