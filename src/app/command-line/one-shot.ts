import { dirname } from 'node:path';
import type { Journal, UndoLimits } from '../../core/journal.ts';
import type { RunBegun } from '../../core/ports.ts';
import type { RunResult } from '../../core/result.ts';
import { hasHappened } from '../../files/journal/has-happened.ts';
import { type ChangeRecord, changesIn } from '../../files/journal/inverse.ts';
import { createRunJournals } from '../../files/journal/run-journals.ts';
import { homeDirectory } from '../../lib/fs/home-directory.ts';
import { stateDirectory } from '../../lib/fs/state-directory.ts';
import type { Config } from '../../services/config/config.generated.ts';
import { DEFAULTS } from '../../services/config/derived.generated.ts';
import { type JournalFile, openJournalFile } from '../../services/engine/spool/journal-file.ts';
import { spoolRun } from '../../services/engine/spool/spool-run.ts';
import { type FinishedRunRules, factsOf, finishedRun } from '../../services/history/finished-run.ts';
import type { Instance } from '../instance/instance.ts';
import { isDryRun } from './is-dry-run.ts';
import { tellingJournal } from './telling-journal.ts';
import { isTidyingDue } from './tidy-daily.ts';

export interface OneShotOptions extends UndoLimits {
  readonly stateDirectory: string;
  readonly versions: NonNullable<FinishedRunRules['versions']>;
  /** Where relative paths of the list count from, without which it cannot be resumed. */
  readonly cwd: string;
  /** Called at most once a day, when a run was recorded: begins to prune the store in another process. */
  startTidying?(): void;
  /** Told, at most once for each run, why it is not recorded or cannot be undone. */
  warn(message: string): void;
}

/** Records the runs of a process that opens no store: each leaves a file that the next opener of the store takes in. */
export interface OneShot {
  /** For `createFactotum`. */
  journalOf(runId: string): Journal | undefined;
  /** Begins to record the runs of an instance; answers how to stop that. */
  attach(factotum: Pick<Instance, 'observe' | 'masker'>): () => void;
  /**
   * Writes down the runs that are over and answers those that can be undone; call it before the process ends. Never fails: a run that
   * cannot be recorded has run all the same.
   */
  finish(): Promise<ReadonlySet<string>>;
}

/** What shells say of a command that was interrupted, and so does ours. */
const INTERRUPTED = 130;

/** So many changes are looked at to see whether anything happened. */
const MANY_CHANGES = 100;

/** A run under way, or over and not yet written down. */
interface Recording {
  readonly run: RunBegun;
  /** Open from the start, so that a run which is killed is known; undefined once it cannot be written any more. */
  file: JournalFile | undefined;
  hasEntries: boolean;
  /** The first of them: one that happened is enough to say that there is something to undo. */
  readonly changes: ChangeRecord[];
  isOver: boolean;
  result: RunResult | undefined;
}

export interface UserOneShotOptions extends Pick<OneShotOptions, 'versions' | 'cwd' | 'startTidying' | 'warn'> {
  /** The section `[store]` of the configuration, where there is one. */
  readonly store: Config['store'] | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Records where the store of this user is. */
export const openOneShot = ({ store = DEFAULTS.store, env, ...rest }: UserOneShotOptions): OneShot => {
  const { path, undo_bytes: maxBytes, undo_files: maxFiles } = store;
  const directory = path === undefined ? stateDirectory(env, homeDirectory()) : dirname(path);
  return createOneShot({ ...rest, stateDirectory: directory, maxBytes, maxFiles });
};

export const createOneShot = (options: OneShotOptions): OneShot => {
  const { stateDirectory: directory, maxBytes, maxFiles, versions, cwd, warn } = options;
  const recordings = new Map<string, Recording>();
  /** Runs under way that could not be begun to be recorded. */
  const unrecorded = new Set<string>();
  let mask: FinishedRunRules['mask'] = (value) => value;
  const rules = (): FinishedRunRules => ({ mask, versions, cwd });

  const begin = (run: RunBegun): void => {
    if (isDryRun(run.request)) return; // it changes nothing
    try {
      const file = openJournalFile(directory, factsOf(run, rules()));
      recordings.set(run.runId, { run, file, hasEntries: false, changes: [], isOver: false, result: undefined });
    } catch (fault) {
      unrecorded.add(run.runId);
      warn(`This run is not recorded and cannot be undone: ${wordsOf(fault)}`);
    }
  };

  /** A change is made whether or not it can be taken back. */
  const append: Parameters<typeof createRunJournals>[0]['append'] = (runId, entries) => {
    const recording = recordings.get(runId);
    if (recording?.file === undefined) return;
    try {
      recording.file.append(entries);
      recording.hasEntries = true;
      const room = MANY_CHANGES - recording.changes.length;
      if (room > 0) for (const { change } of changesIn(entries).slice(0, room)) recording.changes.push(change);
    } catch (fault) {
      warn(`What this run changes from here on cannot be undone: ${wordsOf(fault)}`);
      recording.file.close();
      recording.file = undefined; // behind half a line nothing could be read
    }
  };
  const journals = createRunJournals({ stateDirectory: directory, maxBytes, maxFiles, now: Date.now, append });

  const record = async (recording: Recording): Promise<void> => {
    const { run, result } = recording;
    try {
      await journals.close(run.runId);
      if (result !== undefined) spoolRun(directory, finishedRun(run, result, rules()));
      if (isTidyingDue(directory, Date.now())) options.startTidying?.();
    } catch (fault) {
      if (recording.file !== undefined) warn(`This run is not recorded: ${wordsOf(fault)}`);
    }
    const { file, hasEntries } = recording;
    if (hasEntries) file?.close();
    else file?.discard();
  };

  /** Whoever interrupts a second time has the process end before its runs do. */
  const giveUp = (exitCode: number) => {
    if (exitCode !== INTERRUPTED) return;
    for (const { file, isOver } of recordings.values()) {
      try {
        if (!isOver) file?.cancel();
      } catch {
        // Then it is known as one that was killed.
      }
    }
  };

  return {
    journalOf(runId) {
      if (unrecorded.has(runId)) return tellingJournal(undefined, () => true);
      const recording = recordings.get(runId);
      return recording && tellingJournal(journals.of(runId), () => recording.file === undefined);
    },
    attach({ observe, masker }) {
      mask = masker.json;
      process.on('exit', giveUp);
      const stop = observe({
        begun: begin,
        ended({ runId }, result) {
          unrecorded.delete(runId);
          const recording = recordings.get(runId);
          if (recording !== undefined) Object.assign(recording, { isOver: true, result });
        },
      });
      return () => {
        process.off('exit', giveUp);
        stop();
      };
    },
    async finish() {
      const over = [...recordings].filter(([, { isOver }]) => isOver);
      for (const [runId, recording] of over) {
        await record(recording);
        recordings.delete(runId);
      }
      return new Set(over.filter(([, recording]) => hasChanged(recording)).map(([runId]) => runId));
    },
  };
};

/** Whoever has written down many changes has made some of them. */
const hasChanged = ({ changes }: Recording): boolean => changes.length === MANY_CHANGES || changes.some(hasHappened);

const wordsOf = (fault: unknown): string => (fault instanceof Error ? fault.message : String(fault));
