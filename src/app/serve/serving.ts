import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Caller, OWNER } from '../../access/caller.ts';
import { sharesIn } from '../../core/caller-limits.ts';
import { ConfigException } from '../../core/errors.ts';
import type { Runs } from '../../core/ports/runs.ts';
import { createRunJournals, type RunJournals } from '../../files/journal/run-journals.ts';
import { undoFiles } from '../../files/journal/undo-files.ts';
import { createWriteAhead } from '../../files/journal/write-ahead.ts';
import { embeddedStore } from '../../services/engine/embedded/embedded-store.ts';
import { createUndo } from '../../services/undo/undo.ts';
import { applyConfig, checkConfig } from '../config/apply-config.ts';
import { checkLists } from '../config/check-lists.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import { tellMissingSecrets } from '../config/missing-secrets.ts';
import { createConfigured } from '../configured.ts';
import type { Instance, InstanceOptions, RunnersParts } from '../instance/instance.ts';
import { createEventsPart, takeEvents } from '../reload/events-part.ts';
import { createPluginsPart } from '../reload/plugins-part.ts';
import { CONFIGURATION, createReload, type Reload } from '../reload/reload.ts';
import { createSettingsPart } from '../reload/settings-part.ts';
import { createStorePart } from '../reload/store-part.ts';
import { createRunners, type RunnersOptions } from '../runners/runners.ts';
import { userStoreFile } from '../state/user-store.ts';
import { createRuns } from './runs.ts';
import { startTracing } from './start-tracing.ts';

/** An instance that is left running, with everything it keeps. */
export interface Serving extends AsyncDisposable {
  readonly factotum: Instance;
  /** Left out where no history is kept. */
  readonly runs: Runs<Caller> | undefined;
  /** Takes a changed configuration over. */
  readonly reload: Reload;
  /** Begins nothing more and gives what goes on some time. */
  drain(options: { readonly drainMs: number }): Promise<void>;
  /** Why it cannot keep what it should, where it cannot. */
  trouble(): Promise<string | undefined>;
}

export interface ServingOptions extends Pick<InstanceOptions, 'log'> {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whose stored work it may run: known before the first of it is taken. */
  readonly callers: readonly Caller[];
  /** Reads the configuration again, from where it was read at the start. */
  read(): Promise<LoadedConfig>;
}

/** Makes the instance that the configuration describes and begins to run what is queued, due or seen. */
export const openServing = async (loaded: LoadedConfig, { env, log, callers, read }: ServingOptions): Promise<Serving> => {
  const { config } = loaded;
  const { store: section } = config;
  const file = userStoreFile(section, env);
  const store = embeddedStore({ file, isServing: true });
  const mostStoredBy = (caller: string): number | undefined =>
    caller === OWNER.name ? undefined : (factotum.callers.get(caller)?.policy ?? USUAL_SHARES).maxStoredBytes;
  const keeping = createStorePart(store, section, mostStoredBy);
  const ahead = createWriteAhead({ stateDirectory: dirname(file), store: store.undo.append });
  const journals = section.history
    ? createRunJournals({
        stateDirectory: dirname(file),
        get maxBytes() {
          return keeping.undoBytes;
        },
        mostOf: (runId) => mostStoredBy(factotum.callerOfRun(runId) ?? OWNER.name),
        get maxFiles() {
          return keeping.undoFiles;
        },
        now: Date.now,
        append: ahead.append,
        // Nobody waits for it: the entries are safe, and whoever undoes sees those on their way.
        flush: ahead.flushSoon,
      })
    : undefined;
  const factotum = createConfigured(loaded, {
    ...(log && { log }),
    ...(journals && {
      journalOf: journals.of,
      settleRun(runId) {
        if (!journals.has(runId)) return undefined;
        if (factotum.callerOfRun(runId) !== OWNER.name) keeping.trimSoon();
        return journals.close(runId);
      },
    }),
    ...(config.limits.runner_threads > 0 && {
      openRunners: (parts) => createRunners(runnersOf(config.limits, { ...parts, file, journals })),
    }),
    configuration: { apply: (path) => apply(path), check: (path) => check(path) },
    state: {
      open: () => store,
      isServing: true,
      keepsHistory: section.history,
      sinks: config.notify.sinks,
      resolveSecret: loaded.resolve,
      dedupMs: config.defaults.dedup_seconds * 1000,
      configure: (state) => takeEvents(state, config),
    },
  });
  for (const caller of callers) factotum.callers.set(caller.name, caller);
  let reload: Reload | undefined;
  /** A service has one configuration. Its references lead to secrets, so nobody may bring another file. */
  const apply = async (path: string): Promise<number> => {
    const own = reload?.current.path;
    if (reload === undefined || own === undefined) return applyConfig(path, { ...factotum, env });
    await demandOwn(path, own);
    return (await reload.now()).config.notify.sinks.length;
  };
  const check = async (path: string): Promise<void> => {
    const own = reload?.current.path;
    if (own !== undefined) await demandOwn(path, own);
    await checkConfig(path, { env });
  };
  try {
    const plugins = createPluginsPart(factotum);
    await plugins.load(loaded);
    if (section.history) await ahead.takeIn(); // before anything is resumed
    if (config.server.tracing) await startTracing(factotum); // before anything is run
    const state = await factotum.state();
    const { notifier } = state;
    const current = () => reload?.current ?? loaded;
    const check = (next: LoadedConfig) => checkLists(next, { ...factotum, caller: factotum.callers.get(OWNER.name), cwd: process.cwd() });
    reload = createReload({
      started: loaded,
      read,
      notifier,
      log: factotum.log,
      parts: [plugins, createEventsPart(state, { current, check }), keeping, createSettingsPart({ factotum, notifier, env, log })],
    });
    await tellMissingSecrets(loaded, factotum.log);
    const fault = await check(loaded);
    // A plugin that cannot be loaded must not keep all other jobs from running.
    if (fault !== undefined) factotum.log('error', 'some lists of the configuration will fail', { reason: fault.message });
    void notifier.checked(CONFIGURATION, fault); // it may have been broken when an earlier service stopped
    const undo = createUndo({
      store: {
        ...store,
        undo: { ...store.undo, list: ahead.seenThrough(store.undo.list) },
        async claim(request) {
          await state.dispatcher.beat(); // after a machine slept, what goes on here must not look abandoned
          return store.claim(request);
        },
      },
      files: undoFiles,
      clock: systemClock,
      log: factotum.log,
      worker: WORKER,
      callerOf: callerIn(factotum),
    });
    if (section.history) await undo.start();
    keeping.start(factotum.log);
    return {
      factotum,
      reload,
      runs: section.history
        ? createRuns({
            store,
            dispatcher: state.dispatcher,
            undo,
            shares: factotum.shares,
            mask: factotum.masker.json,
            admit: factotum.gateway.admit,
          })
        : undefined,
      trouble: state.trouble,
      drain: state.drain,
      async [Symbol.asyncDispose]() {
        keeping.close();
        await undo.close();
        await factotum.close();
      },
    };
  } catch (fault) {
    await factotum.close();
    throw fault;
  }
};

/** Threads for commands, as the configuration wants them. */
const runnersOf = (
  { runner_threads, runner_heap_mb, runner_memory_mb, runner_busy_s }: LoadedConfig['config']['limits'],
  { cwd, log, tellerOf, file, journals }: RunnersParts & { readonly file: string; readonly journals: RunJournals | undefined },
): RunnersOptions => ({
  width: runner_threads,
  maxHeapMb: runner_heap_mb,
  maxMemoryMb: runner_memory_mb,
  maxSpinMs: runner_busy_s * 1000,
  cwd,
  log,
  stateDirectory: dirname(file),
  journalOf(runId) {
    const isWatched = tellerOf(runId) !== undefined;
    if (journals === undefined) return isWatched ? { isWatched } : undefined;
    return { kept: journals.apart(runId), isWatched };
  },
  append: (runId, entries) => journals?.append(runId, entries),
  changing: (runId, paths) => tellerOf(runId)?.(paths),
});

/** One process at a time serves a store, so one name is enough, and the next start knows what this one left. */
const WORKER = 'service:undo';
const USUAL_SHARES = sharesIn({});
const systemClock = { now: Date.now, monotonic: () => performance.now() };

const callerIn =
  ({ callers }: Instance) =>
  (name: string): Caller | undefined =>
    callers.get(name);

/** Whether two paths lead to the same file; one that is gone leads to itself. */
const demandOwn = async (path: string, own: string): Promise<void> => {
  if (await isSameFile(own, path)) return;
  throw new ConfigException(`This service is configured by ${own}; put what ${path} says there.`, { context: { path, own } });
};

const isSameFile = async (one: string, other: string): Promise<boolean> => {
  const end = (path: string) => realpath(path).catch(() => path);
  return (await end(one)) === (await end(other));
};
