import type { Masker } from '../../access/mask.ts';
import { NotificationException } from '../../core/errors.ts';
import type { Notification, Notifications, SinkAnswers, SinkDescription, SinkTable } from '../../core/ports/notify.ts';
import type { Clock, Log, Meters } from '../../core/ports.ts';
import { type SetTimer, systemTimer } from '../../lib/async/timer.ts';
import type { Store } from '../engine/port.ts';
import { createAttempt } from './attempt.ts';
import { dueTimeOf } from './due-time.ts';
import { createFailures, type Failures, failureOf } from './failures.ts';
import { createMessage, fingerprintOf, isAtLeast, type Message } from './message.ts';
import { createOutbox } from './outbox.ts';
import { createRoster, type RosterParts } from './roster.ts';
import { demandOrdinary, describeSink } from './sink-table.ts';

export interface NotifierParts extends RosterParts {
  /** Those of the configuration, references as written. */
  readonly sinks?: readonly SinkTable[];
  readonly store: Pick<Store, 'notifications' | 'states'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly masker: Pick<Masker, 'text' | 'json' | 'learn'>;
  /** Time in which the same message is not sent again; 60 s unless said. */
  readonly dedupMs?: number;
  readonly meters?: Pick<Meters, 'notified'>;
  readonly setTimer?: SetTimer;
}

/** Tells people what needs their attention, through every sink there is. */
export interface Notifier extends Notifications {
  /** Registers a sink as the owner: it may lie in a private network. */
  add(sink: unknown): Promise<SinkDescription>;
  /** Makes the sinks of the configuration those that are given; those that were registered stay. What is left out stays too. */
  configure(sinks: readonly SinkTable[], rules?: Partial<Pick<NotifierParts, 'dedupMs' | 'resolveSecret'>>): void;
  /** Tells of a scheduled, triggered or queued run that did not end ok, and when its job works again. Never throws. */
  runEnded: Failures['ended'];
  /** Tells that a part of the house failed, or, without a fault, that it works again if it had failed. Never throws. */
  checked: Failures['checked'];
  /** Sends from now on what waits in the outbox. */
  start(): void;
  close(): Promise<void>;
}

/** A message that is on its way, or will be. */
interface Told {
  readonly answers: Promise<SinkAnswers>;
}

export const createNotifier = (parts: NotifierParts): Notifier => {
  const { store, clock, log, network, masker, meters = { notified: () => {} }, setTimer = systemTimer } = parts;
  const roster = createRoster(parts);
  roster.configure(parts.sinks ?? []);
  const stopping = new AbortController();
  const outbox = createOutbox({
    notifications: store.notifications,
    clock,
    log,
    meters,
    setTimer,
    attempt: createAttempt({ network, clock, masker, stopping: stopping.signal, resolve: roster.resolve }),
    sinks: roster.all,
    stop: () => stopping.abort(stopped()),
  });
  let dedupMs = parts.dedupMs ?? 60_000;

  /** How many like it were held back since the last one sent; undefined for one more. A store that fails must not keep one back. */
  const heldBackBefore = async (message: Message, only: readonly string[] | undefined): Promise<number | undefined> => {
    if (dedupMs <= 0) return 0;
    // Otherwise the last thing heard of a job that fails again might be that it works.
    const isNews = message.incident !== null && message.incident.phase !== 'ongoing';
    try {
      const { isNew, heldBack } = await store.notifications.admit(fingerprintOf(message, only), isNews ? 0 : dedupMs);
      return isNew ? heldBack : undefined;
    } catch (fault) {
      log('error', 'repeated notifications cannot be told from new ones', { error: String(fault) });
      return 0;
    }
  };

  /** Done when the message is stored; what came of it is known later. */
  const spread = async (fresh: Message, targets: readonly SinkTable[], only?: readonly string[]): Promise<Told> => {
    if (targets.length === 0) return { answers: Promise.resolve({}) };
    const heldBack = await heldBackBefore(fresh, only);
    if (heldBack === undefined) return { answers: Promise.resolve(answerAll(targets, 'dedup', meters)) };
    const message = heldBack === 0 ? fresh : { ...fresh, context: { ...fresh.context, held_back: heldBack } };
    const isRecovery = message.incident?.phase === 'over';
    const takes = (sink: SinkTable) => (isRecovery ? sink.recovery : isAtLeast(message.level, sink.min_level));
    const taking = targets.filter(takes);
    const { answers } = await outbox.post(taking.map((sink) => ({ sink, message, dueAt: dueTimeOf(sink, message.level, clock.now()) })));
    const skipped = answerAll(
      targets.filter((sink) => !takes(sink)),
      'skipped',
      meters,
    );
    const byName = async () => {
      const all = await answers;
      return { ...skipped, ...Object.fromEntries(taking.map(({ name }, at) => [name, all[at] ?? ''])) };
    };
    return { answers: byName() };
  };

  const create = (message: Notification): Message => createMessage(message, { now: clock.now(), mask: masker.json });

  /** Reports of failures that nobody waits for; whoever closes the notifier does. */
  const reports = new Set<Promise<void>>();

  /** An isolation point: who reports a failure must not fail for it. */
  const quietly = (work: () => Promise<unknown>): Promise<void> => {
    const isolated = async () => {
      try {
        await work();
      } catch (fault) {
        log('error', 'a notification of a failure could not be sent', { error: String(fault) });
      }
    };
    const report = isolated().then(() => void reports.delete(report));
    reports.add(report);
    return report;
  };

  const failures = createFailures({
    states: store.states,
    clock,
    async alert(message) {
      const sinks = roster.all();
      const { answers } = await spread(create(message), sinks);
      return { wasHeard: sinks.length > 0, delivered: answers };
    },
  });

  return {
    send: async (message, only) => (await spread(create(message), only?.map(roster.named) ?? roster.all(), only)).answers,
    list: async () => roster.all().map(describeSink),
    register: (table) =>
      roster.add(table, (sink) => {
        demandOrdinary(sink);
        roster.demandNotConfigured(sink.name);
      }),
    add: (table) => roster.add(table, () => {}),
    unregister: async (name) => roster.remove(name),
    async unregisterAll() {
      await store.notifications.forgetAll();
      return roster.clear();
    },
    configure(sinks, rules = {}) {
      dedupMs = rules.dedupMs ?? dedupMs;
      roster.configure(sinks, rules.resolveSecret);
    },
    notifyOnFailure: (context, error) => quietly(async () => (await spread(create(failureOf(context, error)), roster.all())).answers),
    runEnded: (run) => quietly(() => failures.ended(run)),
    checked: (name, fault) => quietly(() => failures.checked(name, fault)),
    start: outbox.start,
    close: () => outbox.close(Promise.all(reports)),
  };
};

const stopped = () => new NotificationException('The service stops; the message is sent after its next start.', { retryable: true });

const answerAll = (sinks: readonly SinkTable[], answer: string, meters: Pick<Meters, 'notified'>): SinkAnswers => {
  for (const { name } of sinks) meters.notified(name, answer);
  return Object.fromEntries(sinks.map(({ name }) => [name, answer]));
};
