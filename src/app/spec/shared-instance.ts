import { either, json, number, oneOf, text } from '../../core/args.ts';
import type { Notification } from '../../core/ports/notify.ts';
import { storingFunction } from '../library/action-function.ts';
import { callable, callableLater, handed } from '../library/arguments.ts';
import { notificationManager, notifyOnFailure } from '../library/notify.ts';
import { progressRegistry } from '../library/progress.ts';

// What of the shared instance the specification names, with its arguments.

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
const ENTRY = [['name', text('The name of an entry.')]] as const;

/** The progress of the shared instance. */
export const progress_registry = {
  create: callable(
    'progress_registry.create',
    [
      ...ENTRY,
      ['total', number('How much there is.', { default: null })],
      ['unit', oneOf('What is counted.', ['bytes', 'items'], { default: 'bytes' })],
    ],
    ({ name, total, unit }) => progressRegistry.create(name, { unit, ...(total !== null && { total }) }),
  ),
  lookup: callable('progress_registry.lookup', ENTRY, ({ name }) => progressRegistry.lookup(name)),
  cancel: callable('progress_registry.cancel', ENTRY, ({ name }) => progressRegistry.cancel(name)),
  forget: callable('progress_registry.forget', ENTRY, ({ name }) => progressRegistry.forget(name)),
  list: callable('progress_registry.list', [], () => progressRegistry.list()),
  clear_finished: callable('progress_registry.clear_finished', [], () => progressRegistry.clearFinished()),
};

const sinkShape = handed<object>('a table of [[notify.sinks]]', isObject);

const contextShape = handed<Notification['context']>('an object', isObject);

/** The sinks of the shared instance. */
export const notification_manager = {
  register: callableLater('notification_manager.register', [['sink', either('The sink.', [sinkShape])]], ({ sink }) =>
    notificationManager.register(sink),
  ),
  unregister: callableLater('notification_manager.unregister', [['name', text('The name of the sink.')]], ({ name }) =>
    notificationManager.unregister(name),
  ),
  unregister_all: callableLater('notification_manager.unregister_all', [], () => notificationManager.unregisterAll()),
  notify: callableLater(
    'notification_manager.notify',
    [
      ['subject', text('What it is about.')],
      ['body', text('What is to be said.', { default: '' })],
      ['level', oneOf('How grave it is.', ['info', 'warning', 'error'], { default: 'info' })],
      ['context', either('Facts beside the text.', [contextShape], { default: {} })],
    ],
    ({ subject, body, level, context }) => notificationManager.notify(subject, body, level, context),
  ),
  list: callableLater('notification_manager.list', [], () => notificationManager.list()),
};

/** Tells every sink that something failed; does nothing without a sink. */
export const notify_on_failure = callableLater(
  'notify_on_failure',
  [
    ['context', text('What failed.')],
    ['error', json('Why.', { default: null })],
  ],
  ({ context, error }) => notifyOnFailure(context, error),
);

/** The jobs of the shared instance, with the arguments of their actions. */
export const scheduler = {
  add: storingFunction('FA_schedule_add', 'scheduler.add'),
  remove: storingFunction('FA_schedule_remove', 'scheduler.remove'),
  remove_all: storingFunction('FA_schedule_remove_all', 'scheduler.remove_all'),
  list: storingFunction('FA_schedule_list', 'scheduler.list'),
  next: storingFunction('FA_schedule_next', 'scheduler.next'),
  pause: storingFunction('FA_schedule_pause', 'scheduler.pause'),
  resume: storingFunction('FA_schedule_resume', 'scheduler.resume'),
};

/** The watchers of the shared instance, with the arguments of their actions. */
export const trigger_manager = {
  start: storingFunction('FA_watch_start', 'trigger_manager.start'),
  stop: storingFunction('FA_watch_stop', 'trigger_manager.stop'),
  stop_all: storingFunction('FA_watch_stop_all', 'trigger_manager.stop_all'),
  list: storingFunction('FA_watch_list', 'trigger_manager.list'),
};
