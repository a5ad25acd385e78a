import type { FailedCheck, IntegritySummary, MonitorSnapshot, Monitors, NewMonitor } from '../../core/ports/integrity.ts';
import { createNamedThings } from '../../core/ports/named-things.ts';
import type { Notifications } from '../../core/ports/notify.ts';
import type { StoreOne } from '../../core/ports/room.ts';
import type { Clock, Log } from '../../core/ports.ts';
import { type SetTimer, systemTimer } from '../../lib/async/timer.ts';
import { driftMessage, restoredMessage, summarise } from '../../lib/manifest/drift.ts';
import type { Verified } from '../../lib/manifest/verify-manifest.ts';
import type { RunId } from '../engine/port/runs.ts';
import type { Store } from '../engine/port.ts';
import { MONITORS, nextCheckAt, readMonitor, type StoredMonitor, snapshotOf, writeMonitor } from './monitor.ts';
import { demandName, doubleMonitor, unknownMonitor, unknownSink } from './monitor-faults.ts';

/** A tree to be compared with its manifest, for somebody. */
export interface CheckRequest {
  readonly caller: string;
  readonly root: string;
  readonly manifestPath: string;
  /** Files that the manifest does not know count, so what cannot be read does as well. */
  readonly alertOnExtra: boolean;
  readonly signal: AbortSignal;
}

export interface MonitorParts {
  readonly store: Pick<Store, 'states'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Compares a tree with its manifest under the rights of the caller, as FA_verify_manifest does. */
  verify(request: CheckRequest): Promise<Verified>;
  /** Left out where nobody is told of anything. */
  readonly notify?: Pick<Notifications, 'send' | 'list'> | undefined;
  readonly setTimer?: SetTimer;
}

/** Checks trees against their manifests again and again. Monitors can be looked at and changed before it is started. */
export interface MonitorService extends AsyncDisposable {
  add(monitor: NewMonitor, caller: string): Promise<MonitorSnapshot>;
  remove(name: string): Promise<MonitorSnapshot>;
  list(): Promise<readonly MonitorSnapshot[]>;
  /** The names of the monitors that a caller has stored. */
  namesOf(caller: string): Promise<readonly string[]>;
  start(): Promise<void>;
  close(): Promise<void>;
}

/** No timer is longer; other processes may have changed monitors meanwhile. */
const LONGEST_SLEEP_MS = 60_000;
const RETRY_MS = 5_000;

export const createMonitors = ({ store, clock, log, verify, notify, setTimer = systemTimer }: MonitorParts): MonitorService => {
  const { states } = store;
  const closing = new AbortController();
  let isStarted = false;
  let stopTimer = () => {};
  let working: Promise<number> | undefined;
  let isAskedAgain = false;

  const all = async (): Promise<readonly StoredMonitor[]> => (await states.list(MONITORS)).map(({ state }) => readMonitor(state));

  const check = async ({ caller, root, manifestPath, alertOnExtra }: StoredMonitor): Promise<IntegritySummary | FailedCheck> => {
    try {
      return summarise(await verify({ caller, root, manifestPath, alertOnExtra, signal: closing.signal }), alertOnExtra);
    } catch (fault) {
      return { ok: false, error: fault instanceof Error ? fault.message : String(fault) };
    }
  };

  /** Those of the sinks that are there. */
  const present = async (sinks: readonly string[]): Promise<readonly string[]> => {
    const there = new Set((await notify?.list())?.map(({ name }) => name));
    return sinks.filter((sink) => there.has(sink));
  };

  /** The sinks to be told now; undefined: all of them. That nobody is told since a sink was renamed would be found out too late. */
  const audience = async (sinks: readonly string[] | null): Promise<readonly string[] | undefined> => {
    const there = sinks === null ? [] : await present(sinks);
    return there.length === 0 ? undefined : there;
  };

  /** Tells people what is new: another drift than last time, or that it is over. Sinks that fail are the notifier's affair. */
  const tell = async (
    { name, root, told, alertOnExtra, sinks }: StoredMonitor,
    found: IntegritySummary | FailedCheck,
  ): Promise<string | null> => {
    const drift = found.ok ? undefined : driftMessage(root, found, alertOnExtra);
    const now = drift?.body ?? null;
    if (now === told) return told;
    log(drift === undefined ? 'info' : 'error', drift?.subject ?? 'a tree is again as its manifest says', { monitor: name, root });
    const incident = { key: `integrity[${name}]`, phase: drift === undefined ? 'over' : 'begun' } as const;
    try {
      await notify?.send({ ...(drift ?? restoredMessage(root)), incident }, await audience(sinks));
    } catch (fault) {
      log('error', 'a drift could not be told', { monitor: name, reason: String(fault) });
    }
    return now;
  };

  const checkOne = async (monitor: StoredMonitor): Promise<void> => {
    const found = await check(monitor);
    if (closing.signal.aborted) return;
    // It may have been stopped or replaced meanwhile.
    const state = await states.get(MONITORS, monitor.name);
    if (state === null || readMonitor(state).startedAt !== monitor.startedAt) return;
    const told = await tell(monitor, found);
    await states.swap(MONITORS, monitor.name, state, writeMonitor({ ...monitor, found, told, checkedAt: clock.now() }));
  };

  /** Trees are read one after the other, so that monitors never take more than one share of the disk. Answers how long to sleep. */
  const work = async (): Promise<number> => {
    try {
      for (const monitor of await all()) if (!closing.signal.aborted && nextCheckAt(monitor) <= clock.now()) await checkOne(monitor);
      return Math.max(0, Math.min(LONGEST_SLEEP_MS, ...(await all()).map((monitor) => nextCheckAt(monitor) - clock.now())));
    } catch (fault) {
      log('error', 'the monitors cannot go on and try again', { reason: String(fault) });
      return RETRY_MS;
    }
  };

  const wake = async (): Promise<void> => {
    if (!isStarted || closing.signal.aborted) return;
    if (working !== undefined) {
      isAskedAgain = true;
      return;
    }
    stopTimer();
    isAskedAgain = false;
    working = work();
    const sleepMs = await working;
    working = undefined;
    if (!closing.signal.aborted) stopTimer = setTimer(() => void wake(), isAskedAgain ? 0 : sleepMs);
  };

  const close = async () => {
    closing.abort();
    stopTimer();
    await working;
  };

  return {
    async add(monitor, caller) {
      demandName(monitor.name);
      const there = await present(monitor.sinks ?? []);
      const missing = monitor.sinks?.find((sink) => !there.includes(sink));
      if (missing !== undefined) throw unknownSink(monitor.name, missing);
      const stored: StoredMonitor = { ...monitor, caller, startedAt: clock.now(), checkedAt: null, found: null, told: null };
      if (!(await states.swap(MONITORS, monitor.name, null, writeMonitor(stored)))) throw doubleMonitor(monitor.name);
      void wake();
      return snapshotOf(stored, true);
    },
    async remove(name) {
      const state = await states.get(MONITORS, name);
      if (state === null) throw unknownMonitor(name);
      await states.remove(MONITORS, name);
      return snapshotOf(readMonitor(state), false);
    },
    list: async () => (await all()).map((monitor) => snapshotOf(monitor, true)),
    namesOf: async (caller) => (await all()).filter((monitor) => monitor.caller === caller).map(({ name }) => name),
    async start() {
      isStarted = true;
      await wake();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
};

/**
 * The monitors as actions reach them. `callerOf` names the caller of a run that is under way and throws for any other. A monitor of
 * somebody else is as unknown as one that never was, and its name is free.
 */
export const monitorsForActions = (monitors: MonitorService, callerOf: (runId: RunId) => string, storeOne: StoreOne): Monitors => {
  const things = createNamedThings({ callerOf, namesOf: monitors.namesOf, unknown: unknownMonitor, double: doubleMonitor });
  const { demand, free, owned, shown } = things;
  return {
    start: (monitor, askedBy) =>
      storeOne('maxWatchers', askedBy, async () => {
        const name = await free(monitor.name, askedBy);
        return shown(await monitors.add({ ...monitor, name }, callerOf(askedBy.runId)), askedBy);
      }),
    stop: async (name, askedBy) => shown(await monitors.remove(await demand(name, askedBy)), askedBy),
    async list(askedBy) {
      const isOwn = await owned(askedBy);
      return (await monitors.list()).filter(({ name }) => isOwn(name)).map((each) => shown(each, askedBy));
    },
  };
};
