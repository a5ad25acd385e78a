import type { ScheduleRules, ScheduleSnapshot } from '../../core/ports/scheduler.ts';
import { demandKnownKeys, type KnownKeys } from '../../lib/text/known-keys.ts';
import type { ActionMap } from '../actions.generated.ts';
import type { NestedList } from '../typed/commands.ts';
import { askAction } from './call-action.ts';

/** How a job of a program behaves beyond its times. */
export interface ScheduleOptions extends Partial<ScheduleRules> {
  /** That of the machine unless said. */
  readonly timeZone?: string;
}

interface PauseOptions {
  /** Wait until nothing of the job goes on. */
  readonly drain?: boolean;
}

/** The jobs of the shared instance. */
export interface SharedScheduler {
  /** Stores a list that runs at set times. References in it are read when it runs. */
  add(name: string, cronExpression: string, actions: NestedList, options?: ScheduleOptions): Promise<ScheduleSnapshot>;
  remove(name: string): Promise<ScheduleSnapshot>;
  removeAll(): Promise<readonly ScheduleSnapshot[]>;
  list(): Promise<readonly ScheduleSnapshot[]>;
  /** The next times of a job, five unless said. */
  next(name: string, count?: number): Promise<readonly string[]>;
  /** Keeps a job from starting; `drain` waits until nothing of it goes on. */
  pause(name: string, options?: PauseOptions): Promise<ScheduleSnapshot>;
  resume(name: string): Promise<ScheduleSnapshot>;
}

/** Runs lists at set times, through the shared instance, which is built at first use. */
export const scheduler: SharedScheduler = {
  add: async (name, cron_expression, action_list, options = {}) =>
    askAction('FA_schedule_add', { name, cron_expression, action_list, ...argumentsOf(options) }),
  remove: (name) => askAction('FA_schedule_remove', { name }),
  removeAll: () => askAction('FA_schedule_remove_all', {}),
  list: () => askAction('FA_schedule_list', {}),
  next: (name, count = 5) => askAction('FA_schedule_next', { name, count }),
  async pause(name, options = {}) {
    demandKnownKeys(options, PAUSE, 'scheduler.pause');
    return askAction('FA_schedule_pause', { name, drain: options.drain ?? false });
  },
  resume: (name) => askAction('FA_schedule_resume', { name }),
};

type Rules = Omit<ActionMap['FA_schedule_add']['args'], 'name' | 'cron_expression' | 'action_list'>;

const PAUSE: KnownKeys<PauseOptions> = { drain: true };

const ADD: KnownKeys<ScheduleOptions> = {
  timeZone: true,
  overlap: true,
  catchUp: true,
  catchUpWindowS: true,
  catchUpMax: true,
  jitterS: true,
  deadlineS: true,
  maxDurationS: true,
  expectEveryS: true,
};

const argumentsOf = (options: ScheduleOptions): Rules => {
  demandKnownKeys(options, ADD, 'scheduler.add');
  return {
    ...(options.timeZone !== undefined && { time_zone: options.timeZone }),
    ...(options.overlap !== undefined && { overlap: options.overlap }),
    ...(options.catchUp !== undefined && { catch_up: options.catchUp }),
    ...(options.catchUpWindowS !== undefined && { catch_up_window_s: options.catchUpWindowS }),
    ...(options.catchUpMax !== undefined && { catch_up_max: options.catchUpMax }),
    ...(options.jitterS !== undefined && { jitter_s: options.jitterS }),
    ...(options.deadlineS !== undefined && { deadline_s: options.deadlineS }),
    ...(options.maxDurationS !== undefined && { max_duration_s: options.maxDurationS }),
    ...(options.expectEveryS !== undefined && { expect_every_s: options.expectEveryS }),
  };
};
