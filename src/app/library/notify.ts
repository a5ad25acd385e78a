import type { Notification, NotificationLevel, SinkAnswers, SinkDescription } from '../../core/ports/notify.ts';
import type { Notifier } from '../../services/notify/notifier.ts';
import { sharedFactotum } from '../shared-factotum.ts';

/** The notifier of the shared instance, the one that actions use too. */
const sharedNotifier = async (): Promise<Notifier> => (await sharedFactotum().state()).notifier;

/** The sinks of the shared instance. */
export interface NotificationManager {
  /** Adds or replaces a sink: a table of `[[notify.sinks]]` with values instead of references. */
  register(sink: object): Promise<SinkDescription>;
  unregister(name: string): Promise<boolean>;
  unregisterAll(): Promise<number>;
  /** Sends to every sink; tells what became of the message at each. */
  notify(subject: string, body?: string, level?: NotificationLevel, context?: Notification['context']): Promise<SinkAnswers>;
  list(): Promise<readonly SinkDescription[]>;
}

/** Tells people what needs their attention, through every sink that is registered. */
export const notificationManager: NotificationManager = {
  async register(sink) {
    return (await sharedNotifier()).add(sink);
  },
  unregister: async (name) => (await sharedNotifier()).unregister(name),
  unregisterAll: async () => (await sharedNotifier()).unregisterAll(),
  notify: async (subject, body = '', level = 'info', context = {}) => (await sharedNotifier()).send({ subject, body, level, context }),
  list: async () => (await sharedNotifier()).list(),
};

/** Tells every sink that something failed; does nothing without a sink, and never throws. */
export const notifyOnFailure = async (context: string, error: unknown): Promise<void> =>
  (await sharedNotifier()).notifyOnFailure(context, error);
