import type { Notification, NotificationLevel } from '../../core/ports/notify.ts';
import type { Progress } from '../../core/progress.ts';
import type { ActionMap } from '../actions.generated.ts';
import { askAction } from '../library/call-action.ts';
import { notificationManager } from '../library/notify.ts';
import { progressRegistry } from '../library/progress.ts';
import { scheduler as houseScheduler } from '../library/scheduler.ts';
import { triggerManager } from '../library/triggers.ts';
import { readArguments } from './keywords.ts';

// What of the shared instance the specification names, with its arguments.

interface ProgressArguments {
  readonly total?: number;
  readonly unit?: 'bytes' | 'items';
}

/** The progress of the shared instance. */
export const progress_registry = {
  ...progressRegistry,
  create: (name: string, total?: number | ProgressArguments | null, unit?: ProgressArguments['unit'] | ProgressArguments): Progress =>
    progressRegistry.create(
      name,
      readArguments<ProgressArguments>('progress_registry.create', { total: 'number', unit: 'string' }, [total, unit]),
    ),
  clear_finished: progressRegistry.clearFinished,
};

interface NotifyArguments {
  readonly body?: string;
  readonly level?: NotificationLevel;
  readonly context?: Notification['context'];
}

/** The sinks of the shared instance. */
export const notification_manager = {
  ...notificationManager,
  notify: async (
    subject: string,
    body?: string | NotifyArguments,
    level?: NotificationLevel | NotifyArguments,
    context?: Notification['context'],
  ) => {
    const kinds = { body: 'string', level: 'string', context: 'any' } as const;
    const given = readArguments<NotifyArguments>('notification_manager.notify', kinds, [body, level, context]);
    return notificationManager.notify(subject, given.body, given.level, given.context);
  },
  unregister_all: notificationManager.unregisterAll,
};

type ScheduleArguments = Omit<ActionMap['FA_schedule_add']['args'], 'name' | 'cron_expression' | 'action_list'>;
type ScheduleList = ActionMap['FA_schedule_add']['args']['action_list'];

/** The jobs of the shared instance. Further arguments of `add` are those of FA_schedule_add, by name. */
export const scheduler = {
  ...houseScheduler,
  add: (name: string, cron_expression: string, action_list: ScheduleList, allow_overlap: boolean | ScheduleArguments = false) =>
    askAction('FA_schedule_add', {
      name,
      cron_expression,
      action_list,
      ...(typeof allow_overlap === 'object' ? allow_overlap : { allow_overlap }),
    }),
  remove_all: houseScheduler.removeAll,
};

type WatchArguments = Omit<ActionMap['FA_watch_start']['args'], 'name' | 'path' | 'action_list'>;
type WatchEvents = Exclude<WatchArguments['events'], undefined>;
type WatchList = ActionMap['FA_watch_start']['args']['action_list'];

/** The watchers of the shared instance. Further arguments of `start` are those of FA_watch_start, by name. */
export const trigger_manager = {
  ...triggerManager,
  start: (name: string, path: string, action_list: WatchList, events: WatchEvents | WatchArguments = null, recursive?: boolean) =>
    askAction('FA_watch_start', {
      name,
      path,
      action_list,
      ...(isList(events) ? { events } : events),
      ...(recursive !== undefined && { recursive }),
    }),
  stop_all: triggerManager.stopAll,
};

const isList = (events: WatchEvents | WatchArguments): events is WatchEvents =>
  typeof events !== 'object' || events === null || Array.isArray(events);
