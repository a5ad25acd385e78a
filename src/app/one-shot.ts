import type { Journal } from '../core/files.ts';
import type { RunBegun } from '../core/ports.ts';
import type { RunResult } from '../core/result.ts';
import { createRunJournals } from '../files/journal/run-journals.ts';
import type { RunSource } from '../services/engine/port/runs.ts';
import { type JournalFile, openJournalFile } from '../services/engine/spool/journal-file.ts';
import { spoolRun } from '../services/engine/spool/spool-run.ts';
import { type FinishedRunRules, finishedRun } from '../services/history/finished-run.ts';
import type { Factotum } from './create.ts';

export interface OneShotOptions {
  readonly stateDirectory: string;
  /** What a run may keep aside to be undone. */
  readonly undoBytes: number;
  readonly versions: NonNullable<FinishedRunRules['versions']>;
  /** Told why runs are not recorded, or cannot be undone. */
  warn(message: string): void;
}

/** Records the runs of a process that opens no store: each leaves a file that the next opener of the store takes in. */
export interface OneShot {
  /** For `createFactotum`. */
  journalOf(runId: string): Journal;
  /** Begins to record the runs of an instance. */
  attach(factotum: Pick<Factotum, 'observe' | 'masker'>): void;
  /** Writes down the runs that are over; call it before the process ends. Never fails: a run that cannot be recorded has run all the same. */
  finish(): Promise<void>;
}

export const createOneShot = ({ stateDirectory, undoBytes, versions, warn }: OneShotOptions): OneShot => {
  const underWay = new Map<string, RunBegun>();
  const over: { readonly run: RunBegun; readonly result: RunResult | undefined }[] = [];
  const files = new Map<string, JournalFile | undefined>();
  let mask: FinishedRunRules['mask'] = (value) => value;

  const openFile = (runId: string): JournalFile | undefined => {
    const run = underWay.get(runId);
    if (run === undefined) return undefined;
    const { caller, source, request, startedAt } = run;
    const facts = { runId, caller, source: source as RunSource, startedAt: startedAt.getTime() }; // doors name themselves in the words of the store
    try {
      return openJournalFile(stateDirectory, { ...facts, body: mask(request) as StartedBody });
    } catch (fault) {
      warn(`This run cannot be undone: ${fault instanceof Error ? fault.message : String(fault)}`);
      return undefined;
    }
  };
  const fileOf = (runId: string): JournalFile | undefined => {
    if (!files.has(runId)) files.set(runId, openFile(runId));
    return files.get(runId);
  };
  const journals = createRunJournals({
    stateDirectory,
    maxBytes: undoBytes,
    now: Date.now,
    append: (runId, entries) => fileOf(runId)?.append(entries),
  });

  const record = async (run: RunBegun, result: RunResult | undefined): Promise<void> => {
    try {
      await journals.close(run.runId);
      if (result !== undefined) spoolRun(stateDirectory, finishedRun(run, result, { mask, versions }));
    } catch (fault) {
      warn(`This run was not recorded: ${fault instanceof Error ? fault.message : String(fault)}`);
    } finally {
      files.get(run.runId)?.close();
      files.delete(run.runId);
    }
  };

  return {
    journalOf: (runId) => ({
      // Opened with the first change: most runs only look.
      before: async (change) => (fileOf(runId) === undefined ? undefined : journals.of(runId).before(change)),
    }),
    attach({ observe, masker }) {
      mask = masker.json;
      observe({
        begun: (run) => void underWay.set(run.runId, run),
        ended(run, result) {
          underWay.delete(run.runId);
          over.push({ run, result });
        },
      });
    },
    async finish() {
      for (const { run, result } of over.splice(0)) await record(run, result);
    },
  };
};

type StartedBody = Parameters<typeof openJournalFile>[1]['body'];
