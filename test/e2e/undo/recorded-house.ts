import { OWNER } from '../../../src/access/caller.ts';
import { createInstance } from '../../../src/app/create.ts';
import type { Instance } from '../../../src/app/instance/instance.ts';
import { keepOutcome } from '../../../src/core/kept-outcome.ts';
import type { RunResult } from '../../../src/core/result.ts';
import { createRunJournals } from '../../../src/files/journal/run-journals.ts';
import { undoFiles } from '../../../src/files/journal/undo-files.ts';
import { memoryStore } from '../../../src/services/engine/memory/memory-store.ts';
import type { Store } from '../../../src/services/engine/port.ts';
import { createUndo, type Undo } from '../../../src/services/undo/undo.ts';

/** An instance whose runs can be undone. */
export interface RecordedHouse extends AsyncDisposable {
  readonly factotum: Instance;
  readonly store: Store;
  readonly undo: Undo;
  /** Runs a list and records it. */
  run(request: unknown): Promise<RunResult>;
  /** Undoes a run to its end. */
  undoRun(runId: string): Promise<RunResult>;
}

export interface RecordedHouseOptions {
  readonly cwd: string;
  readonly stateDirectory: string;
  readonly maxBytes?: number;
  readonly maxFiles?: number;
  readonly store?: Store;
  /** Called before a change is written down, and so before it is made. */
  onAppend?(): void;
}

export const clock = { now: Date.now, monotonic: () => performance.now() };

/** What undoing needs beside a store. */
export const undoParts = { files: undoFiles, clock, log: () => {}, worker: 'tester', callerOf: () => OWNER };

export const openRecordedHouse = ({
  cwd,
  stateDirectory,
  maxBytes = 1e9,
  maxFiles = 1e6,
  store = memoryStore(),
  onAppend,
}: RecordedHouseOptions): RecordedHouse => {
  const journals = createRunJournals({
    stateDirectory,
    maxBytes,
    maxFiles,
    now: Date.now,
    append: async (runId, entries) => {
      onAppend?.();
      await store.undo.append(runId, entries);
    },
  });
  const factotum = createInstance({ cwd, log: { level: 'silent' }, journalOf: journals.of });
  const undo = createUndo({ store, ...undoParts });
  return {
    factotum,
    store,
    undo,
    async run(request) {
      const startedAt = Date.now();
      const result = await factotum.run(request);
      await journals.close(result.run_id);
      await store.record({
        runId: result.run_id,
        source: 'library',
        caller: OWNER.name,
        body: null,
        state: result.status,
        startedAt,
        durationMs: result.duration_ms,
        counts: result.counts,
        commands: result.results.map((outcome) => keepOutcome(outcome, (value) => value)),
      });
      return result;
    },
    undoRun: async (runId) => (await undo.undo(runId, OWNER)).finished,
    async [Symbol.asyncDispose]() {
      await undo.close();
      await factotum.close();
      await store.close();
    },
  };
};
