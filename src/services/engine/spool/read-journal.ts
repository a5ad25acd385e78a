import { open } from 'node:fs/promises';
import type { Json } from '../../../core/errors.ts';
import { isAlive, readOwner } from '../../../lib/fs/part-name.ts';
import type { FinishedRun } from '../port/runs.ts';
import type { UndoEntry } from '../port/shelves.ts';
import type { StartedRun, Writer } from './journal-file.ts';

/** A journal as it is found. */
export interface FoundJournal {
  readonly writer: Writer;
  readonly run: StartedRun;
  readonly entries: readonly UndoEntry[];
  /** Whoever started the run has given it up. */
  readonly isCancelled: boolean;
}

/** Reads a journal; undefined where not even its beginning is whole, so that no effect had begun. */
export const readJournal = (text: string): FoundJournal | undefined => {
  // After the last line end stands nothing, or an entry that was not written to its end, whose effect never began.
  const lines = text.split('\n').slice(0, -1);
  try {
    const [writer, run, ...rest] = lines.map((line) => JSON.parse(line));
    if (run === undefined) return undefined;
    const entries = rest.filter((line) => !('cancelled' in line));
    // Only `openJournalFile` writes here, in a directory of the owner alone.
    return {
      writer: writer as Writer,
      run: run as StartedRun,
      entries: entries as readonly UndoEntry[],
      isCancelled: entries.length < rest.length,
    };
  } catch {
    return undefined;
  }
};

/** A journal that names no process of this machine cannot be asked about; it counts as in use for a day after its last line. */
const SILENT_LIFE_MS = 24 * 3_600_000;
/** Far more than the first line takes. */
const FIRST_LINE_BYTES = 4_096;

/** Whether the process that writes a journal is still there. Reads the first line only: the rest can be long. */
export const isBeingWritten = async (file: string, now: number): Promise<boolean> => {
  await using handle = await open(file);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(FIRST_LINE_BYTES), 0, FIRST_LINE_BYTES, 0);
  const [first = '', ...rest] = buffer.toString('utf8', 0, bytesRead).split('\n');
  const writer = rest.length === 0 ? undefined : readWriter(first);
  const self = readOwner();
  return writer?.home === self.home ? isAlive(writer, self) : now - (await handle.stat()).mtimeMs < SILENT_LIFE_MS;
};

const readWriter = (line: string): Writer | undefined => {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
};

/** The record of a run whose process was killed, or left it. What its commands did is not known, only how to undo it. */
export const interrupted = ({ writer: { pid, host }, run, isCancelled }: FoundJournal, endedAt: number): FinishedRun => ({
  ...run,
  options: { ...(isRecord(run.options) && run.options), interrupted: true },
  state: isCancelled ? 'cancelled' : 'failed',
  durationMs: Math.max(0, endedAt - run.startedAt),
  counts: { ok: 0, failed: 0, skipped: 0, planned: 0, reused: 0, cancelled: 0, indeterminate: 0 },
  commands: [],
  error: {
    type: 'CancelledException',
    message: isCancelled
      ? 'The run was interrupted, and nobody waited for it to stop; undo it or start it again.'
      : `Process ${pid} on ${host} ended before the run did; undo the run or start it again.`,
    retryable: false,
    context: { pid, host },
  },
});

const isRecord = (value: Json | undefined): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
