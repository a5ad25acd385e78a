import { homedir } from 'node:os';
import { dirname } from 'node:path';
import type { Caller } from '../access/caller.ts';
import type { Runs } from '../core/ports/runs.ts';
import { createRunJournals } from '../files/journal/run-journals.ts';
import { undoFiles } from '../files/journal/undo-files.ts';
import { embeddedStore, storeFileIn } from '../services/engine/embedded/embedded-store.ts';
import type { Store } from '../services/engine/port.ts';
import { stateDirectory } from '../services/engine/state-directory.ts';
import { configuredSchedule } from '../services/scheduler/from-config.ts';
import { trimUndo } from '../services/undo/trim.ts';
import { createUndo } from '../services/undo/undo.ts';
import { configuredWatcher } from '../services/watchers/from-config.ts';
import { createConfigured } from './configured.ts';
import type { Factotum, FactotumOptions } from './create.ts';
import type { LoadedConfig } from './load-config.ts';
import { loadPluginsInto } from './plugins.ts';
import { createRuns } from './runs.ts';
import type { State } from './state.ts';

/** An instance that is left running, with everything it keeps. */
export interface Serving extends AsyncDisposable {
  readonly factotum: Factotum;
  /** Left out where no history is kept. */
  readonly runs: Runs<Caller> | undefined;
  /** Why it cannot keep what it should, where it cannot. */
  trouble(): string | undefined;
}

export interface ServingOptions extends Pick<FactotumOptions, 'log'> {
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Makes the instance that the configuration describes and begins to run what is queued, due or seen. */
export const openServing = async (loaded: LoadedConfig, { env, log }: ServingOptions): Promise<Serving> => {
  const { config } = loaded;
  const { store: section } = config;
  const file = section.path ?? storeFileIn(stateDirectory(env, homedir()));
  const store = embeddedStore({ file, isServing: true });
  const journals = section.history
    ? createRunJournals({
        stateDirectory: dirname(file),
        maxBytes: section.undo_bytes,
        now: Date.now,
        append: async (runId, entries) => void (await store.undo.append(runId, entries)),
      })
    : undefined;
  const factotum = createConfigured(loaded, {
    ...(log && { log }),
    ...(journals && { journalOf: journals.of, settleRun: journals.close }),
    guards: config.defaults.actions,
    state: {
      open: () => store,
      isServing: true,
      keepsHistory: section.history,
      sinks: config.notify.sinks,
      resolveSecret: loaded.resolve,
      dedupMs: config.defaults.dedup_seconds * 1000,
      configure: ({ scheduler, watchers }) => takeIn(config, scheduler, watchers),
    },
  });
  try {
    await loadPluginsInto(factotum, { project: process.cwd(), ...config.plugins });
    const state = await factotum.state();
    const undo = createUndo({
      store,
      files: undoFiles,
      clock: systemClock,
      log: factotum.log,
      worker: WORKER,
      callerOf: callerIn(factotum),
    });
    if (section.history) await undo.start();
    const tidying = keepTidy(loaded, store, factotum);
    return {
      factotum,
      runs: section.history ? createRuns({ store, dispatcher: state.dispatcher, undo, admit: factotum.gateway.admit }) : undefined,
      trouble: state.trouble,
      async [Symbol.asyncDispose]() {
        clearInterval(tidying);
        await undo.close();
        await factotum.close();
      },
    };
  } catch (fault) {
    await factotum.close();
    throw fault;
  }
};

/** One process at a time serves a store, so one name is enough, and the next start knows what this one left. */
const WORKER = 'service:undo';
const systemClock = { now: Date.now, monotonic: () => performance.now() };

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Forgets, now and every hour, what is older than the configuration keeps. */
const keepTidy = ({ config: { store: section } }: LoadedConfig, store: Store, { log }: Factotum): NodeJS.Timeout => {
  const tidy = async () => {
    try {
      const { runs_days, dead_days, fires_days, audit_days, undo_bytes, undo_days } = section;
      await trimUndo({ store, files: undoFiles, now: Date.now(), maxBytes: undo_bytes, maxAgeMs: undo_days * DAY_MS });
      await store.prune({
        runsMs: runs_days * DAY_MS,
        deadMs: dead_days * DAY_MS,
        firesMs: fires_days * DAY_MS,
        auditMs: audit_days * DAY_MS,
      });
    } catch (fault) {
      log('warn', 'old records could not be deleted', { reason: fault instanceof Error ? fault.message : String(fault) });
    }
  };
  void tidy();
  return setInterval(() => void tidy(), HOUR_MS).unref();
};

const callerIn =
  ({ callers }: Factotum) =>
  (name: string): Caller | undefined =>
    callers.get(name);

/** Makes the jobs and watchers of the configuration those of the store. */
const takeIn = async (
  { schedules, watchers }: LoadedConfig['config'],
  scheduler: State['scheduler'],
  service: State['watchers'],
): Promise<void> => {
  await scheduler.configure(schedules.map(configuredSchedule));
  await service.configure(watchers.map(configuredWatcher));
};
