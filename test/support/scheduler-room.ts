import type { NewSchedule } from '../../src/core/ports/scheduler.ts';
import { memoryStore } from '../../src/services/engine/memory/memory-store.ts';
import type { Claim } from '../../src/services/engine/port/engine.ts';
import type { Store } from '../../src/services/engine/port.ts';
import type { ScheduleAlert } from '../../src/services/scheduler/alarm.ts';
import { createScheduler, type Scheduler } from '../../src/services/scheduler/scheduler.ts';
import { type ManualTime, manualTime } from './manual-time.ts';

/** A scheduler on a store of its own, in time that a test moves. */
export interface SchedulerRoom extends AsyncDisposable {
  readonly time: ManualTime;
  readonly store: Store;
  readonly scheduler: Scheduler;
  readonly alerts: readonly ScheduleAlert[];
  /** What came of each time that was due. */
  readonly fires: readonly string[];
  readonly lines: readonly string[];
  /** Stores a job of every minute, unless something else is said. */
  add(job: Partial<NewSchedule> & { readonly name: string }): Promise<void>;
  /** Ends the scheduler as if its process had gone, and starts another one on the same store. */
  restart(options?: { readonly at: string }): Promise<void>;
  /** Takes all runs that are due, as a dispatcher does. */
  claim(): Promise<readonly Claim[]>;
  end(claim: Claim, end?: 'ok' | 'failed' | 'cancelled'): Promise<void>;
  /** The due times of all runs that were queued, in order. */
  ticks(): Promise<readonly string[]>;
}

const COUNTS = { ok: 1, failed: 0, skipped: 0, planned: 0, reused: 0, cancelled: 0, indeterminate: 0 };

/** Opens a room at a moment; the scheduler is started. */
export const openSchedulerRoom = async (start: string): Promise<SchedulerRoom> => {
  const time = manualTime(start);
  const store = memoryStore({ now: time.clock.now });
  const alerts: ScheduleAlert[] = [];
  const fires: string[] = [];
  const lines: string[] = [];
  const open = () =>
    createScheduler({
      store,
      clock: time.clock,
      setTimer: time.setTimer,
      log: (level, message) => lines.push(`${level}: ${message}`),
      cancel: store.cancel,
      alert: (alert) => alerts.push(alert),
      meters: { scheduleFired: (result) => fires.push(result) },
    });
  let scheduler = open();
  await scheduler.start();
  return {
    time,
    store,
    get scheduler() {
      return scheduler;
    },
    alerts,
    fires,
    lines,
    async add(job) {
      await scheduler.add({ cron: '* * * * *', timeZone: 'UTC', actions: [['FA_progress_list']], ...job }, 'owner');
      await time.advance(0);
    },
    async restart({ at } = { at: new Date(time.clock.now()).toISOString() }) {
      await scheduler.close();
      time.jumpTo(at);
      scheduler = open();
      await scheduler.start();
    },
    claim: () => store.claim({ worker: 'test', max: 100, leaseMs: 86_400_000 }),
    async end({ runId, attempt, fence }, end = 'ok') {
      await store.settle([{ runId, attempt, fence, end, counts: COUNTS, durationMs: 1 }]);
      scheduler.ended();
      await time.advance(0);
    },
    async ticks() {
      const { items } = await store.runs({ sources: ['schedule'], limit: 1000 });
      const records = await Promise.all(items.map(({ runId }) => store.run(runId)));
      return records.map((record) => tickOf(record?.options)).sort();
    },
    async [Symbol.asyncDispose]() {
      await scheduler.close();
      await store.close();
    },
  };
};

const tickOf = (options: unknown): string => (options as { named: { schedule: { tick: string } } }).named.schedule.tick; // as the scheduler writes it
