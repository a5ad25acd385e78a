import { readFileSync } from 'node:fs';
import type { Journal } from '../../core/journal.ts';
import type { RunResult } from '../../core/result.ts';
import { type ConfigSearch, findConfigFile } from '../../services/config/find-file.ts';
import { concernsCommands } from '../config/concerns-commands.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import type { Instance, InstanceOptions } from '../instance/instance.ts';
import { openInstanceHere } from './instance-here.ts';
import { isDryRun } from './is-dry-run.ts';
import type { OneShot } from './one-shot.ts';

export interface ShortLivedOptions extends Pick<InstanceOptions, 'log'> {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  /** The configuration file, where one is named. */
  readonly config?: string | undefined;
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
  /** The value of the only command is printed and nothing else is done with it. */
  readonly isPrinted?: boolean;
}

/** An instance for one command of the command line. */
export interface ShortLived extends AsyncDisposable {
  readonly factotum: Instance;
  /** Runs a request for the owner; `canBeUndone` tells whether it changed something that can be taken back. */
  run(request: unknown, how: ShortRun): Promise<{ readonly result: RunResult; readonly canBeUndone: boolean }>;
}

/** Opens an instance in the working directory. What most directories do not have is not loaded: a start is what users wait for. */
export const openShortLived = async ({ env, version, config, log, startTidying, warn }: ShortLivedOptions): Promise<ShortLived> => {
  const cwd = process.cwd();
  const loaded = await configurationIn({ path: config, cwd, env });
  let oneShot: OneShot | undefined;
  let foreseen: Journal | undefined;
  const { factotum, owner } = await openInstanceHere({
    env,
    loaded,
    warn,
    ...(log && { log }),
    journalOf: (runId) => oneShot?.journalOf(runId) ?? foreseen,
  });

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
    async run(request, { signal, keepsHistory, isPrinted = false }) {
      const isKept = keepsHistory && loaded?.config.store.history !== false;
      oneShot = isKept && !isDryRun(request) ? await openRecords() : undefined;
      foreseen = isKept && isDryRun(request) ? await foreseenJournal(loaded) : undefined;
      const stop = oneShot?.attach(factotum);
      let undoable: ReadonlySet<string> | undefined;
      let result: RunResult;
      try {
        result = await factotum.gateway.run(request, { caller: owner, signal, source: 'cli', isPrinted });
      } finally {
        undoable = await oneShot?.finish();
        stop?.();
      }
      return { result, canBeUndone: undoable?.has(result.run_id) === true };
    },
    [Symbol.asyncDispose]: factotum.close,
  };
};

/** Variables of the sections that commands follow; all others are about services. */
const VARIABLE = /^FACTOTUM_(?:store|plugins|secrets|defaults|limits|network|notify|policy)_/i;

/** The configuration, where it says anything that matters here: reading it all takes as long as a short list. */
const configurationIn = async (search: ConfigSearch): Promise<LoadedConfig | undefined> => {
  const file = findConfigFile(search);
  const matters = Object.keys(search.env).some((name) => VARIABLE.test(name)) || (file !== undefined && mayConcern(file));
  return matters ? (await import('../config/load-config.ts')).loadConfig(search) : undefined;
};

/** One that cannot be read counts, for whoever reads it next to say why. */
const mayConcern = (file: string): boolean => {
  try {
    return concernsCommands(readFileSync(file, 'utf8'));
  } catch {
    return true;
  }
};

/** The journal that a real run would have: a dry run tells what would not fit into it. */
const foreseenJournal = async (loaded: LoadedConfig | undefined): Promise<Journal> => {
  const { undo_bytes: maxBytes, undo_files: maxFiles } =
    loaded?.config.store ?? (await import('../../services/config/derived.generated.ts')).DEFAULTS.store;
  return { limits: { maxBytes, maxFiles }, before: async () => {} };
};
