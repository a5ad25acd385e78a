import type { ClaimRef, Commands } from '../../port/engine.ts';
import type { Sync, Tools } from '../repository.ts';
import { readCommands, writeCommands } from './command-rows.ts';

/** Commands of runs; only the worker that has the run may write. */
export const commandsRepository = (tools: Tools): Sync<Commands> => {
  const { db } = tools;
  const held = ({ runId, attempt, fence }: ClaimRef): { seq: number } | undefined =>
    db.get("SELECT seq FROM run WHERE run_id = ? AND attempt = ? AND fence = ? AND state = 'running'", runId, attempt, fence);
  const write: Sync<Commands>['record'] = (claim, changes) => {
    const row = held(claim);
    if (row === undefined) return { isAccepted: false };
    writeCommands(tools, { seq: row.seq, attempt: claim.attempt }, changes);
    return { isAccepted: true };
  };
  return {
    plan: (claim, commands) =>
      write(
        claim,
        commands.map((command) => ({ ...command, state: 'waiting' })),
      ),
    record: write,
    list(runId) {
      const row = db.get<{ seq: number }>('SELECT seq FROM run WHERE run_id = ?', runId);
      return row === undefined ? [] : readCommands(tools, row.seq);
    },
  };
};
