import { readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Caller, OWNER } from '../../access/caller.ts';
import { createMasker } from '../../access/mask.ts';
import { ExecuteActionException, PolicyException } from '../../core/errors.ts';
import type { RunResult } from '../../core/result.ts';
import { sweepTree } from '../../files/disk/leftovers/sweep-tree.ts';
import { houseSweeper } from '../../files/disk/sweep.ts';
import { discardOrphans } from '../../files/journal/homes.ts';
import { createRunJournals } from '../../files/journal/run-journals.ts';
import { undoFiles } from '../../files/journal/undo-files.ts';
import { createWriteAhead } from '../../files/journal/write-ahead.ts';
import { ownDirectoryName } from '../../lib/fs/own-names.ts';
import type { Config } from '../../services/config/config.generated.ts';
import { embeddedStore } from '../../services/engine/embedded/embedded-store.ts';
import type { Pruned } from '../../services/engine/port/engine.ts';
import type { Run } from '../../services/engine/port/runs.ts';
import type { Store } from '../../services/engine/port.ts';
import { createDispatcher } from '../../services/queue/dispatcher.ts';
import { resumption } from '../../services/queue/resume.ts';
import type { ResumePoint } from '../../services/queue/resume-point.ts';
import { forgetRun } from '../../services/undo/forget.ts';
import { trimUndo } from '../../services/undo/trim.ts';
import { createUndo } from '../../services/undo/undo.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import { retentionOf, undoRoomOf } from '../config/retention.ts';
import { keepMasked } from '../state/keep-masked.ts';
import { type ShownRun, shownRun } from '../state/shown-run.ts';
import { userStoreFile } from '../state/user-store.ts';
import { VERSION } from '../version.generated.ts';
import { openInstanceHere } from './instance-here.ts';

export type { Run, RunState } from '../../services/engine/port/runs.ts';
export type { ApprovedPlan } from '../../services/engine/port/shelves.ts';
export type { ShownRun } from '../state/shown-run.ts';

export interface HistoryOptions {
  /** The section `[store]` of the configuration. */
  readonly config: Config['store'];
  /** All of it, where there is one: what is resumed runs as it says, and the owner may do what it lets the owner do. */
  readonly loaded?: LoadedConfig;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Told of plugins that are broken. */
  warn?(message: string): void;
}

/** The store as a command of the command line uses it, beside whatever serves it. */
export interface History extends AsyncDisposable {
  readonly store: Omit<Store, 'run'> & { run(runId: string): Promise<ShownRun | null> };
  /** Takes back what a run changed. */
  undo(runId: string): Promise<RunResult>;
  /** Runs the rest of a run here and now. */
  resume(runId: string, options: { readonly from?: ResumePoint; readonly signal: AbortSignal }): Promise<RunResult>;
  /** Forgets how to undo a run, and gives back the space of what is kept of it. */
  forget(runId: string): Promise<void>;
  /** Deletes what is older than the configuration keeps, and what killed processes left behind. */
  prune(): Promise<Pruned & Tidied & { readonly undo: number }>;
  /** Removes what killed processes left behind: where it is known that they worked, and below these directories. */
  tidy(directories: readonly string[]): Promise<Tidied>;
}

/** What was left behind and is gone now. */
export interface Tidied {
  /** Temporary files and trees. */
  readonly temporary: number;
  /** Runs that nobody knows, of which old files were kept. */
  readonly orphans: number;
}

const clock = { now: Date.now, monotonic: () => performance.now() };
const log = () => {};

/** Opens the store of this user; nothing is opened before the first question. */
export const openHistory = ({ config, loaded, env, warn = () => {} }: HistoryOptions): History => {
  const file = userStoreFile(config, env);
  const masker = createMasker();
  const store = keepMasked(embeddedStore({ file }), masker.json);
  const worker = `${OWN_QUEUES}${process.pid}`;
  const ahead = createWriteAhead({ stateDirectory: dirname(file), store: store.undo.append });
  const undo = createUndo({ store, files: undoFiles, clock, log, worker, callerOf: (name) => (name === OWNER.name ? OWNER : undefined) });

  const tidy: History['tidy'] = async (directories) => {
    let temporary = await houseSweeper.sweepAll();
    for (const directory of directories) temporary += await sweepTree(resolve(directory), { signal: new AbortController().signal });
    await ahead.takeIn();
    const kept = new Set((await store.undo.usage()).runs.map((run) => run.runId));
    const begun = namesOfBegun(dirname(file));
    const isKnown = (runId: string) => kept.has(runId) || begun.some((name) => name.startsWith(runId));
    return { temporary, orphans: await discardOrphans(dirname(file), { isKnown, now: clock.now() }) };
  };

  return {
    store: { ...store, run: async (runId) => shownRun(await store.run(runId), masker.json) },
    async undo(runId) {
      await ahead.takeIn();
      return (await undo.undo(runId, await ownerIn(loaded))).finished;
    },
    async resume(runId, { from, signal }) {
      await ahead.takeIn();
      await store.claim({ worker, queues: [], max: 0 }); // what processes had that were killed is theirs no longer
      const submission = await resumption(store, runId, from);
      if (submission.caller !== OWNER.name) throw notOurs(runId, submission.caller);
      const journals = createRunJournals({
        stateDirectory: dirname(file),
        maxBytes: config.undo_bytes,
        maxFiles: config.undo_files,
        now: clock.now,
        append: ahead.append,
        flush: ahead.flush,
      });
      const { factotum, owner } = await openInstanceHere({
        env,
        loaded,
        warn,
        log: { level: 'silent' },
        journalOf: journals.of,
        settleRun: journals.close,
      });
      await using _instance = factotum;
      await using dispatcher = createDispatcher({
        store,
        clock,
        log,
        worker,
        queues: [worker], // so that nothing else is run here
        versions: { factotum: VERSION },
        callerOf: () => owner,
        mask: (value) => factotum.masker.known(value),
        runList: factotum.gateway.run,
      });
      await dispatcher.start();
      const { submitted, result } = await dispatcher.runNow({ ...submission, queue: worker, maxAttempts: 1 }, owner); // should this process be killed, no other would go on with it
      signal.addEventListener('abort', () => void dispatcher.cancel(submitted.runId), { once: true });
      if (result === undefined) throw new Error('A new run cannot be known already.');
      return factotum.masker.known(await result) as RunResult; // masking keeps the shape
    },
    async forget(runId) {
      await ahead.takeIn();
      if ((await store.run(runId)) === null) throw unknownRun(runId);
      if (!(await forgetRun({ store, files: undoFiles }, runId)))
        throw new ExecuteActionException(`Run ${runId} is under way, or being undone; try again when that is over.`, {
          context: { run_id: runId },
        });
    },
    tidy,
    async prune() {
      const forgotten = await trimUndo({ store, files: undoFiles, now: clock.now(), ...undoRoomOf(config) });
      const pruned = await store.prune(retentionOf(config));
      return { ...pruned, ...(await tidy([])), undo: forgotten };
    },
    async [Symbol.asyncDispose]() {
      await undo.close();
      await store.close();
    },
  };
};

/** Files of runs that the store need not know yet. */
const namesOfBegun = (stateDirectory: string): readonly string[] =>
  (['spool', 'journals'] as const).flatMap((use) => {
    try {
      return readdirSync(join(stateDirectory, ownDirectoryName(use)));
    } catch {
      return []; // none so far
    }
  });

const unknownRun = (runId: string) =>
  new ExecuteActionException(`No run is called ${runId}; list them with factotum runs.`, { context: { run_id: runId } });

/** A command runs what it resumes in a queue of its own, which nobody looks into after it. */
const OWN_QUEUES = 'cli:';

/** Whether a run was left by a command that resumed another one and was killed; only resuming goes on with it. */
export const isLeftByCommand = ({ queue }: Pick<Run, 'queue'>): boolean => queue.startsWith(OWN_QUEUES);

/** The owner at the keyboard. */
const ownerIn = async (loaded: LoadedConfig | undefined): Promise<Caller> =>
  loaded === undefined ? OWNER : (await import('../configured.ts')).localOwnerOf(loaded);

const notOurs = (runId: string, caller: string) =>
  new PolicyException(`Run ${runId} was started by ${caller}, whose rights are known to the service alone; resume it there.`, {
    context: { run_id: runId, caller, rule: 'caller' },
  });
