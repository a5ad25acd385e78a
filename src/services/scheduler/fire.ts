import { nameOutOfSpace } from '../../core/name-space.ts';
import type { Clock, Log, Meters } from '../../core/ports.ts';
import { isoIn } from '../../lib/cron/time-zone.ts';
import type { RunId } from '../engine/port/runs.ts';
import type { Store } from '../engine/port.ts';
import type { Alarm } from './alarm.ts';
import { goingRun } from './going.ts';
import type { Held } from './held.ts';
import type { Job } from './job.ts';
import { scheduledRunId, shareOf } from './run-id.ts';
import { dueSlots } from './slots.ts';

/** What firing needs of the scheduler. */
export interface FireParts {
  readonly store: Pick<Store, 'fire' | 'run' | 'schedules'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly meters: Pick<Meters, 'scheduleFired'>;
  readonly held: Held;
  readonly alarm: Alarm;
  cancel(runId: RunId): Promise<unknown>;
  /** Told of every run that was queued. */
  onFired(job: Job, runId: RunId): void;
}

/** Turns times that have come into queued runs. Jobs are handed over as they stand in the store. */
export interface Firing {
  /** Deals with all times of a job that have come. */
  settle(job: Job): Promise<void>;
  /** Queues the first of the times that wait for the last run of the job, if that has ended. */
  release(job: Job): Promise<void>;
}

/** Makes what turns times into runs. */
export const createFiring = ({ store, clock, log, meters, held, alarm, cancel, onFired }: FireParts): Firing => {
  const { schedules } = store;

  /**
   * The store decides by job and time, so a time is never run twice. Both calls travel in one turn and are committed together:
   * a run that was queued is also known as the last one.
   */
  const fire = async (job: Job, slot: number): Promise<void> => {
    const { name, stored, notes, rules, zone } = job;
    const runId = scheduledRunId(name, slot);
    const [isFirst] = await Promise.all([
      store.fire(name, slot, {
        runId,
        source: 'schedule',
        caller: notes.caller,
        body: stored.body,
        name,
        runAt: slot + Math.floor(shareOf(name, slot) * rules.jitterS * 1000),
        options: { named: { schedule: { name: nameOutOfSpace(notes.caller, name), tick: isoIn(zone, slot) } } },
      }),
      schedules.mark(name, { slot: latest(job, slot), runId, ran: 1 }),
    ]);
    meters.scheduleFired(isFirst ? 'fired' : 'duplicate');
    if (!isFirst) await schedules.mark(name, { ran: -1 });
    onFired(job, runId);
  };

  const leaveOut = async (job: Job, slots: readonly number[], why: 'skipped' | 'late'): Promise<void> => {
    if (slots.length === 0) return;
    await schedules.mark(job.name, { slot: latest(job, ...slots), skipped: slots.length });
    for (const slot of slots) {
      meters.scheduleFired(why);
      log('info', 'a scheduled run was left out', { schedule: job.name, due: isoIn(job.zone, slot), why });
    }
  };

  /** Leaves out what comes too late to be started at all. */
  const inTime = async (job: Job, slots: readonly number[]): Promise<readonly number[]> => {
    const { deadlineS } = job.rules;
    const now = clock.now();
    const isLate = (slot: number) => deadlineS !== null && now > slot + deadlineS * 1000;
    const late = slots.filter(isLate);
    await leaveOut(job, late, 'late');
    for (const slot of late) alarm.raise(job, 'deadline', { slot });
    return slots.filter((slot) => !isLate(slot));
  };

  const hold = async (job: Job, slots: readonly number[]): Promise<void> => {
    await Promise.all([held.keep(job.name, slots), schedules.mark(job.name, { slot: latest(job, ...slots) })]);
  };

  /** What the job's rule says of a time that comes while its last run goes on, or others wait for that. */
  const overlap = async (job: Job, slot: number, going: RunId | undefined): Promise<void> => {
    const waiting = held.of(job.name);
    switch (job.rules.overlap) {
      case 'parallel':
        return fire(job, slot);
      case 'skip':
        return leaveOut(job, [slot], 'skipped');
      case 'queue_one':
        return waiting.length > 0 ? leaveOut(job, [slot], 'skipped') : hold(job, [slot]);
      case 'cancel_previous':
        if (going !== undefined) await cancel(going);
        await leaveOut(job, waiting, 'skipped');
        await hold(job, [slot]);
    }
  };

  /** Missed times are made up for one after the other, whatever the rule for those that come meanwhile. */
  const makeUp = async (job: Job, slots: readonly number[]): Promise<void> => {
    if (job.rules.overlap === 'parallel') for (const slot of slots) await fire(job, slot);
    else if (slots.length > 0) await hold(job, [...new Set([...held.of(job.name), ...slots])]);
  };

  return {
    async release(job) {
      const waiting = held.of(job.name);
      const [next, ...rest] = await inTime(job, waiting);
      if (next === undefined) return held.keep(job.name, []);
      if (rest.length + 1 < waiting.length) await held.keep(job.name, [next, ...rest]);
      if ((await goingRun(store, job.stored.lastRunId)) !== undefined) return;
      await fire(job, next);
      await held.keep(job.name, rest);
    },
    async settle(job) {
      const { onTime, madeUp, lost } = dueSlots(job, clock.now());
      if (lost !== undefined) {
        log('warn', 'a scheduled time was missed', { schedule: job.name, due: isoIn(job.zone, lost) });
        meters.scheduleFired('missed');
        await schedules.mark(job.name, { slot: lost });
      }
      await makeUp(job, await inTime(job, madeUp));
      const [slot] = onTime === undefined ? [] : await inTime(job, [onTime]);
      if (slot !== undefined) {
        const going = job.rules.overlap === 'parallel' ? undefined : await goingRun(store, job.stored.lastRunId);
        if (going === undefined && held.of(job.name).length === 0) await fire(job, slot);
        else await overlap(job, slot, going?.runId);
      }
    },
  };
};

/** Up to where the times of a job are settled after these. A time that waited may be older than one that was skipped meanwhile. */
const latest = ({ stored }: Job, ...slots: readonly number[]): number => Math.max(stored.lastSlot ?? 0, ...slots);
