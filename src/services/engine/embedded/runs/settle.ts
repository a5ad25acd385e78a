import { QueueException } from '../../../../core/errors.ts';
import type { Engine, Settlement } from '../../port/engine.ts';
import type { RunId } from '../../port/runs.ts';
import { advance, advanceBy, optional, type Sync, type Tools } from '../repository.ts';
import { writeCommands } from './command-rows.ts';
import { keepLate } from './kept.ts';
import type { RunRow } from './run-row.ts';
import { countRun, makeRoom } from './stored-bytes.ts';

type Standing = Pick<RunRow, 'seq' | 'state' | 'attempt' | 'max_attempts' | 'fence' | 'submitted_at' | 'started_at' | 'caller'>;

/** How runs end, and what people decide about them. */
export const settleRepository = (tools: Tools): Sync<Pick<Engine, 'settle' | 'cancel' | 'verdict'>> => {
  const { db, now } = tools;

  const standing = (runId: RunId): Standing | undefined =>
    db.get('SELECT seq, state, attempt, max_attempts, fence, submitted_at, started_at, caller FROM run WHERE run_id = ?', runId);

  const end = (row: Standing, settlement: Settlement, nextEvent: () => number): void => {
    if (settlement.end === 'retry' && row.attempt < row.max_attempts) {
      db.run(
        "UPDATE run SET state = 'queued', run_at = ?, error = ?, owner = NULL, lease_until = NULL WHERE seq = ?",
        settlement.runAt,
        JSON.stringify(settlement.error),
        row.seq,
      );
      return;
    }
    const isGivenUp = settlement.end === 'retry' || settlement.end === 'dead';
    const { error } = settlement;
    db.run(
      `UPDATE run SET state = ?, owner = NULL, lease_until = NULL, ended_at = ?, ended_event = ?, duration_ms = ?, counts = ?, error = ?,
         plan_hash = coalesce(?, plan_hash)
       WHERE seq = ?`,
      isGivenUp ? 'dead' : settlement.end,
      settlement.end === 'indeterminate' ? null : now(),
      settlement.end === 'indeterminate' ? null : nextEvent(),
      isGivenUp ? now() - (row.started_at ?? row.submitted_at) : settlement.durationMs,
      isGivenUp ? null : JSON.stringify(settlement.counts),
      error === undefined ? null : JSON.stringify(error),
      isGivenUp ? null : optional(settlement.planHash),
      row.seq,
    );
    if (settlement.end === 'failed' && error !== undefined) freeKey(row);
  };

  /** An error of the run itself refuses the list as a whole: where nothing of it ever ran, the key is good for another try. */
  const freeKey = ({ seq }: Standing): void => {
    const hasRun = db.get('SELECT 1 FROM node WHERE run_seq = ? AND started_at IS NOT NULL', seq) !== undefined;
    if (!hasRun) db.run('UPDATE run SET key = NULL WHERE seq = ?', seq);
  };

  const settleOne = (settlement: Settlement, nextEvent: () => number): boolean => {
    const row = standing(settlement.runId);
    if (row === undefined || row.attempt !== settlement.attempt || row.fence !== settlement.fence) return false;
    if (row.state !== 'running') return true; // settled before: the answer got lost
    writeCommands(tools, row, settlement.commands ?? [], nextEvent);
    if (settlement.kept !== undefined) keepLate(tools, row.seq, settlement.kept);
    end(row, settlement, nextEvent);
    countRun(tools, row);
    makeRoom(tools, row.caller, { but: row.seq });
    return true;
  };

  return {
    settle(settlements) {
      const accepted: RunId[] = [];
      const refused: RunId[] = [];
      const events = settlements.reduce((sum, { commands = [] }) => sum + commands.length + 1, 0);
      const nextEvent = advanceBy(tools, 'event', events);
      for (const settlement of settlements) (settleOne(settlement, nextEvent) ? accepted : refused).push(settlement.runId);
      return { accepted, refused };
    },
    cancel(runId) {
      const row = standing(runId);
      if (row === undefined) throw unknownRun(runId);
      if (row.state === 'running') {
        db.run('UPDATE run SET cancel_requested = 1 WHERE seq = ?', row.seq);
        return 'requested';
      }
      if (row.state !== 'queued' && row.state !== 'indeterminate') return 'finished';
      db.run(
        "UPDATE run SET state = 'cancelled', cancel_requested = 1, fence = fence + 1, ended_at = ?, ended_event = ? WHERE seq = ?",
        now(),
        advance(tools, 'event'),
        row.seq,
      );
      return 'cancelled';
    },
    verdict(runId, index, verdict) {
      const row = standing(runId);
      if (row === undefined) throw unknownRun(runId);
      const isWaiting = db.get("SELECT 1 FROM node WHERE run_seq = ? AND idx = ? AND state = 'indeterminate'", row.seq, index);
      if (row.state !== 'indeterminate' || isWaiting === undefined) throw nothingToJudge(runId, index);
      writeCommands(tools, row, [{ index, ...AFTER[verdict] }]);
      if (db.get("SELECT 1 FROM node WHERE run_seq = ? AND state = 'indeterminate'", row.seq) !== undefined) return;
      // The rest of the list is still to be done, whatever the verdict and however many attempts there were.
      db.run(
        "UPDATE run SET state = 'queued', run_at = ?, fence = fence + 1, max_attempts = max(max_attempts, attempt + 1) WHERE seq = ?",
        now(),
        row.seq,
      );
    },
  };
};

const AFTER = {
  done: { state: 'ok', value: null, reason: 'judged as done' },
  fail: {
    state: 'failed',
    error: { type: 'QueueException', message: 'The command was interrupted and judged as failed.', retryable: false, context: {} },
  },
  retry: { state: 'waiting' },
} as const;

const unknownRun = (runId: RunId): QueueException =>
  new QueueException(`No run has the id ${runId}; list the runs to find it.`, { context: { run_id: runId } });

const nothingToJudge = (runId: RunId, index: number): QueueException =>
  new QueueException(`Command ${index} of run ${runId} does not wait for a verdict; look at the run again.`, {
    context: { run_id: runId, index },
  });
