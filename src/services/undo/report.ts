import { ExecuteActionException, type Json } from '../../core/errors.ts';
import type { Counts, Note, Outcome, RunResult } from '../../core/result.ts';

/** What became of undoing a run. */
export interface UndoReport {
  /** Paths that are as they were before the run. */
  readonly undone: string[];
  readonly refused: { readonly path: string; readonly reason: string }[];
  /** What the undone run had noted that nobody can take back, and what did not come along: it is no failure that it is left. */
  readonly left: readonly Note[];
}

/** A report names this many paths of each kind and counts the rest. */
const MAX_NAMED = 1_000;

const NONE: Counts = { ok: 0, failed: 0, skipped: 0, planned: 0, reused: 0, cancelled: 0, indeterminate: 0 };

/** The result of a run that undid another: one command, whose value names every path. */
export const resultOf = (runId: string, undoneRun: string, report: UndoReport, durationMs: number): RunResult => {
  const status = report.refused.length === 0 ? 'ok' : 'failed';
  const command: Outcome = {
    index: 0,
    action: UNDO,
    status,
    value: shown(report),
    ...(report.left.length > 0 && { notes: report.left }),
    ...(status === 'failed' && { error: refusalOf(undoneRun, report).toJSON() }),
    duration_ms: durationMs,
  };
  return { run_id: runId, ok: status === 'ok', status, counts: { ...NONE, [status]: 1 }, duration_ms: durationMs, results: [command] };
};

/** The name that stands for undoing in a history; no action has it. */
export const UNDO = 'undo';

const shown = ({ undone, refused }: UndoReport): Json => ({
  undone: undone.slice(0, MAX_NAMED),
  undone_count: undone.length,
  refused: refused.slice(0, MAX_NAMED).map(({ path, reason }) => ({ path, reason })),
  refused_count: refused.length,
});

const refusalOf = (undoneRun: string, { undone, refused }: UndoReport): ExecuteActionException => {
  const [first] = refused;
  const more = refused.length > 1 ? ` and ${refused.length - 1} more` : '';
  return new ExecuteActionException(
    `${first?.path} (${first?.reason})${more} cannot be undone; everything else is as before. Put right what is named and undo again.`,
    { context: { run_id: undoneRun, undone: undone.length, refused: refused.length, path: first?.path ?? '' } },
  );
};
