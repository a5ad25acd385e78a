import { readFileSync } from 'node:fs';
import { OWNER } from '../access/caller.ts';
import type { Journal } from '../core/files.ts';
import type { Log } from '../core/ports.ts';
import type { RunResult } from '../core/result.ts';
import { findConfigFile } from '../services/config/find-file.ts';
import { mayHavePlugins } from '../services/plugins/glance.ts';
import { createFactotum, type Factotum, type FactotumOptions, type StateOptions } from './create.ts';
import type { Config, LoadedConfig } from './load-config.ts';
import type { OneShot } from './one-shot.ts';

export interface ShortLivedOptions extends Pick<FactotumOptions, 'log'> {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  /** Begins to prune the store in another process. */
  startTidying(): void;
  /** Told what is wrong and yet stops nothing. */
  warn(message: string): void;
}

/** How a list is run by a process that ends after it. */
export interface ShortRun {
  readonly signal: AbortSignal;
  /** False: no record of the run is kept, so that it cannot be undone. */
  readonly keepsHistory: boolean;
}

/** An instance for one command of the command line. */
export interface ShortLived extends AsyncDisposable {
  readonly factotum: Factotum;
  /** Runs a request for the owner; `canBeUndone` tells whether it changed something that can be taken back. */
  run(request: unknown, how: ShortRun): Promise<{ readonly result: RunResult; readonly canBeUndone: boolean }>;
}

/**
 * Opens an instance in the working directory, as the configuration wants it where there is one, with the plugins of the project. What
 * most directories do not have is not loaded: a start is what users wait for.
 */
export const openShortLived = async ({ env, version, log, startTidying, warn }: ShortLivedOptions): Promise<ShortLived> => {
  const cwd = process.cwd();
  const loaded = await configurationIn(cwd, env);
  let oneShot: OneShot | undefined;
  let foreseen: Journal | undefined;
  const factotum = await createIn(loaded, {
    ...(log && { log }),
    journalOf: (runId) => oneShot?.journalOf(runId) ?? foreseen,
    state: stateOf(loaded, env),
  });
  await loadPluginsOf(cwd, loaded?.config.plugins, factotum, warn);

  const openRecords = async (): Promise<OneShot> =>
    (await import('./one-shot.ts')).openOneShot({
      store: loaded?.config.store,
      env,
      versions: { factotum: version },
      cwd,
      startTidying,
      warn,
    });

  return {
    factotum,
    async run(request, { signal, keepsHistory }) {
      const isKept = keepsHistory && loaded?.config.store.history !== false;
      oneShot = isKept && !isDryRun(request) ? await openRecords() : undefined;
      foreseen = isKept && isDryRun(request) ? await foreseenJournal(loaded) : undefined;
      const stop = oneShot?.attach(factotum);
      let undoable: ReadonlySet<string> | undefined;
      let result: RunResult;
      try {
        result = await factotum.gateway.run(request, { caller: OWNER, signal, source: 'cli' });
      } finally {
        undoable = await oneShot?.finish();
        stop?.();
      }
      return { result, canBeUndone: undoable?.has(result.run_id) === true };
    },
    [Symbol.asyncDispose]: factotum.close,
  };
};

type Env = ShortLivedOptions['env'];

/** The sections that matter here; all others are about services. */
const SECTIONS = 'store|plugins|secrets|defaults|limits|notify';
const VARIABLE = new RegExp(`^FACTOTUM_(?:${SECTIONS})_`, 'i');
/** `[store]`, `[[notify.sinks]]`, `store.history = false`. */
const KEY = new RegExp(`^\\s*\\[{0,2}\\s*["']?(?:${SECTIONS})\\b`, 'm');

/** The configuration, where it says anything that matters here: reading it all takes as long as a short list. */
const configurationIn = async (cwd: string, env: Env): Promise<LoadedConfig | undefined> => {
  const file = findConfigFile({ env, cwd });
  const matters = Object.keys(env).some((name) => VARIABLE.test(name)) || (file !== undefined && mentions(file, KEY));
  return matters ? (await import('./load-config.ts')).loadConfig({ env, cwd }) : undefined;
};

/** What is queued, scheduled or watched here is stored for the service, which does it; people are told by the sinks that it has. */
const stateOf = (loaded: LoadedConfig | undefined, env: Env): StateOptions => ({
  async open() {
    const [{ embeddedStore, storeFileIn }, { stateDirectory }, { homedir }] = await Promise.all([
      import('../services/engine/embedded/embedded-store.ts'),
      import('../services/engine/state-directory.ts'),
      import('node:os'),
    ]);
    return embeddedStore({ file: loaded?.config.store.path ?? storeFileIn(stateDirectory(env, homedir())) });
  },
  isServing: false,
  keepsHistory: false,
  ...(loaded && {
    sinks: loaded.config.notify.sinks,
    resolveSecret: loaded.resolve,
    dedupMs: loaded.config.defaults.dedup_seconds * 1000,
  }),
});

/** Whether a file has a text like this; one that cannot be read counts, for whoever reads it next to say why. */
const mentions = (file: string, text: RegExp): boolean => {
  try {
    return text.test(readFileSync(file, 'utf8'));
  } catch {
    return true;
  }
};

const createIn = async (loaded: LoadedConfig | undefined, options: FactotumOptions): Promise<Factotum> =>
  loaded === undefined
    ? createFactotum(options)
    : (await import('./configured.ts')).createConfigured(loaded, { ...options, guards: loaded.config.defaults.actions });

const loadPluginsOf = async (
  cwd: string,
  plugins: Config['plugins'] | undefined,
  { registry }: Factotum,
  warn: (message: string) => void,
): Promise<void> => {
  const { discover = true, paths = [] } = plugins ?? {};
  if (paths.length === 0 && !(discover && mayHavePlugins(cwd))) return;
  const log: Log = (level, message, fields) => level === 'warn' && warn(`${message} ${String(fields?.reason ?? '')}`.trimEnd());
  await (await import('./plugins.ts')).loadPluginsInto({ registry, log }, { project: cwd, ...plugins });
};

/** The journal that a real run would have: a dry run tells what would not fit into it. */
const foreseenJournal = async (loaded: LoadedConfig | undefined): Promise<Journal> => {
  const { undo_bytes: maxBytes } = loaded?.config.store ?? (await import('../services/config/derived.generated.ts')).DEFAULTS.store;
  return { maxBytes, before: async () => {} };
};

const isDryRun = (request: unknown): boolean =>
  typeof request === 'object' && request !== null && 'dry_run' in request && request.dry_run === true;
