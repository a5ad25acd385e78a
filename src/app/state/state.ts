import type { Caller } from '../../access/caller.ts';
import type { Masker } from '../../access/mask.ts';
import type { Sharer, Shares } from '../../access/shares.ts';
import type { Journal } from '../../core/journal.ts';
import type { Clock, Log, Meters, RunObserver, Services } from '../../core/ports.ts';
import type { Registry } from '../../core/registry.ts';
import type { Gateway } from '../../pipeline/gateway.ts';
import { createAudit } from '../../services/audit/audit.ts';
import type { Store } from '../../services/engine/port.ts';
import { createRecorder } from '../../services/history/recorder.ts';
import { createMonitors, monitorsForActions } from '../../services/integrity/monitors.ts';
import type { Notifier } from '../../services/notify/notifier.ts';
import { createDispatcher, type Dispatcher } from '../../services/queue/dispatcher.ts';
import { createQueues } from '../../services/queue/queues.ts';
import { schedulesForActions } from '../../services/scheduler/for-actions.ts';
import { createScheduler, type Scheduler } from '../../services/scheduler/scheduler.ts';
import { watchersForActions } from '../../services/watchers/for-actions.ts';
import { createOwnJournals } from '../../services/watchers/own-journal.ts';
import { createWatchers, type WatcherService } from '../../services/watchers/watchers.ts';
import { VERSION } from '../version.generated.ts';
import { keepMasked } from './keep-masked.ts';
import { keepShares } from './keep-shares.ts';
import { type HouseNotifierParts, openNotifier } from './notify.ts';
import { openFileStore } from './open-file-store.ts';
import { createRoom } from './room.ts';
import { createRunMask } from './run-mask.ts';
import { createStoreWatch } from './store-watch.ts';
import { verifyFor } from './verify-for.ts';

/** What state needs of an instance. */
export interface StateParts extends Pick<HouseNotifierParts, 'sinks' | 'resolveSecret' | 'dedupMs'> {
  readonly store: Store;
  readonly gateway: Gateway;
  readonly clock: Clock;
  readonly log: Log;
  readonly masker: Masker;
  readonly registry: Pick<Registry, 'resolve'>;
  readonly meters: Meters;
  observe(observer: RunObserver): () => void;
  /** The rights behind the name of a caller; undefined where nobody has that name. */
  callerOf(name: string): Caller | undefined;
  /** The name of the caller of a run that is under way; throws for any other. */
  callerOfRun(runId: string): string;
  /** The same with what it may have of what is shared. */
  sharerOf(runId: string): Sharer;
  /** What a caller may have of what is shared, by its name; undefined: the usual. */
  limitsOf(name: string): Sharer['policy'];
  readonly shares: Shares;
  /** Whether every run is written down. */
  readonly keepsHistory: boolean;
}

/** Everything of an instance that outlives a call. */
export interface State {
  readonly store: Store;
  readonly dispatcher: Dispatcher;
  readonly scheduler: Scheduler;
  readonly watchers: WatcherService;
  readonly notifier: Notifier;
  /** What actions reach of it. */
  readonly services: { readonly [K in 'queue' | 'scheduler' | 'watchers' | 'integrity' | 'notify' | 'audit']: NonNullable<Services[K]> };
  /** The journal of a run, so that what it writes does not set off the watcher behind it; `inner` is told too. */
  journalOf(runId: string, inner: Journal | undefined): Journal | undefined;
  /** What such a journal tells of paths that are about to be changed; undefined where no watcher is behind the run. */
  tellerOf(runId: string): ((paths: readonly string[]) => void) | undefined;
  /** Why nothing is kept now, where nothing is: asked of the store itself, at most every few seconds. */
  trouble(): Promise<string | undefined>;
  /** Begins to run what is queued, due or seen; until then it can be looked at and changed. */
  start(): Promise<void>;
  /** Begins nothing more and gives what goes on some time; what is not over then is gone on with after the next start. */
  drain(options?: { readonly drainMs?: number }): Promise<void>;
  /** Drains, where that was not done, and lets go of the store. */
  close(): Promise<void>;
}

const VERSIONS = { factotum: VERSION };

/** Puts the services of an instance together; nothing is opened before it is used. */
export const openState = async (parts: StateParts): Promise<State> => {
  const { gateway, clock, log, masker, meters, observe, callerOf, callerOfRun, sharerOf, limitsOf, shares } = parts;
  const { mask, maskFor } = createRunMask(masker, parts.registry);
  const store = keepShares(keepMasked(parts.store, mask), { shares, log, limitsOf });
  const forget: (() => void)[] = [];
  const { sinks, resolveSecret, dedupMs } = parts;
  const notifier = await openNotifier({
    store,
    clock,
    log,
    masker,
    meters,
    ...(sinks !== undefined && { sinks }),
    ...(resolveSecret !== undefined && { resolveSecret }),
    ...(dedupMs !== undefined && { dedupMs }),
  });
  const dispatcher = createDispatcher({
    store,
    clock,
    log,
    meters,
    callerOf,
    mask,
    maskFor,
    versions: VERSIONS,
    runList(body, call) {
      own.begun(call);
      return gateway.run(body, call);
    },
    onEnded(run) {
      scheduler.ended();
      own.ended(run.claim.runId);
      void notifier.runEnded(run);
    },
  });
  const { cancel } = dispatcher;
  const scheduler = createScheduler({
    store,
    clock,
    log,
    meters,
    cancel,
    alert: ({ schedule, message }) =>
      void notifier.send({ subject: `Schedule ${schedule}`, body: message, level: 'warning' }).catch(() => {}),
  });
  const watchers = createWatchers({ store, clock, log, meters, cancel });
  const own = createOwnJournals(watchers);
  const monitors = createMonitors({ store, clock, log, notify: notifier, verify: verifyFor(gateway, callerOf) });
  const storeOne = createRoom({
    callerOf: callerOfRun,
    counts: {
      maxSchedules: async (caller) => (await scheduler.namesOf(caller)).length,
      maxWatchers: async (caller) => (await watchers.namesOf(caller)).length + (await monitors.namesOf(caller)).length,
    },
    demand: (runId, share, used) => shares.demand(sharerOf(runId), share, used),
  });
  const audit = createAudit({ store, openStore: (file) => openFileStore(file, store), log, mask, maskFor });
  const recorder = parts.keepsHistory ? createRecorder({ store, log, mask, maskFor, versions: VERSIONS }) : undefined;
  if (recorder !== undefined) forget.push(observe(recorder), observe(audit.observer));

  const askStore = createStoreWatch({ store, clock });
  let draining: Promise<void> | undefined;
  const drain: State['drain'] = (options) => {
    draining ??= Promise.all([watchers.close(), monitors.close(), scheduler.close(), dispatcher.close(options)]).then(() => {});
    return draining;
  };

  return {
    store,
    dispatcher,
    scheduler,
    watchers,
    notifier,
    services: {
      queue: createQueues({
        store,
        openStore: async (file) => keepMasked(await openFileStore(file, store), mask),
        callerOf: callerOfRun,
        mask,
      }),
      scheduler: schedulesForActions(scheduler, callerOfRun, storeOne),
      watchers: watchersForActions(watchers, callerOfRun, storeOne),
      integrity: monitorsForActions(monitors, callerOfRun, storeOne),
      notify: notifier,
      audit,
    },
    journalOf: own.of,
    tellerOf: own.tellerOf,
    async trouble() {
      const found = recorder?.trouble ?? (await askStore());
      return found === undefined ? undefined : `store: ${found}`;
    },
    async start() {
      await store.ready();
      notifier.start();
      await dispatcher.start();
      await scheduler.start();
      watchers.start();
      await monitors.start();
    },
    drain,
    async close() {
      await drain();
      for (const stop of forget.splice(0)) stop();
      await recorder?.close();
      await audit.flush();
      await notifier.close();
      await store.close();
    },
  };
};
