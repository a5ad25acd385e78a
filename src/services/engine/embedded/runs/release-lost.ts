import type { ErrorRecord } from '../../../../core/result.ts';
import type { RunState } from '../../port/runs.ts';
import { advance, type Tools } from '../repository.ts';
import { writeCommands } from './command-rows.ts';
import type { RunRow } from './run-row.ts';

/**
 * Takes runs out of the hands of workers that are gone. A command that had started and may not be repeated waits for a verdict;
 * a run without such a command is queued again, unless it is cancelled or has no attempt left.
 */
export const releaseLost = (tools: Tools, rows: readonly RunRow[]): void => {
  for (const row of rows) {
    const started = tools.db.all<{ idx: number; idempotent: number | null }>(
      "SELECT idx, idempotent FROM node WHERE run_seq = ? AND state = 'running'",
      row.seq,
    );
    const unsure = started.filter(({ idempotent }) => idempotent !== 1);
    writeCommands(
      tools,
      row,
      started.map(({ idx, idempotent }) => ({ index: idx, state: idempotent === 1 ? 'waiting' : 'indeterminate' })),
    );
    const state = unsure.length > 0 ? 'indeterminate' : nextState(row);
    const hasEnded = state === 'cancelled' || state === 'dead';
    tools.db.run(
      `UPDATE run SET state = ?, fence = fence + 1, owner = NULL, lease_until = NULL, error = ?, ended_at = ?, ended_event = ?
       WHERE seq = ?`,
      state,
      JSON.stringify(LOST),
      hasEnded ? tools.now() : null,
      hasEnded ? advance(tools, 'event') : null,
      row.seq,
    );
  }
};

const nextState = ({ cancel_requested, attempt, max_attempts }: RunRow): RunState => {
  if (cancel_requested === 1) return 'cancelled';
  return attempt < max_attempts ? 'queued' : 'dead';
};

const LOST: ErrorRecord = {
  type: 'QueueException',
  message: 'The worker that had the run is gone; its lease passed without a sign of life.',
  retryable: true,
  context: {},
};
