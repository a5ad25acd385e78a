import type { Engine } from '../../port/engine.ts';
import type { FinishedRun, RunEvent } from '../../port/runs.ts';
import { advance, fromText, type Sync, type Tools } from '../repository.ts';
import { readCommands, writeCommands } from './command-rows.ts';
import { createCommandsSince } from './commands-since.ts';
import { createDrafts, type DraftPiece } from './drafts.ts';
import { insertRun } from './insert-run.ts';
import { keptOf, removeParts } from './kept.ts';
import { listRuns } from './list-runs.ts';
import { type RunRow, toRun } from './run-row.ts';
import { countRun, makeRoom, tellShare } from './stored-bytes.ts';
import { indexLate } from './text-index.ts';

interface History extends Sync<Pick<Engine, 'run' | 'head' | 'runs' | 'deadLetters' | 'events'>> {
  /** Like `record`; answers whether the run is new. */
  add(run: FinishedRun): boolean;
  record(run: FinishedRun, form?: 'drafted'): void;
  draft(runId: string, at: number, piece: DraftPiece): void;
}

/** Runs as they are looked at afterwards. */
export const historyRepository = (tools: Tools): History => {
  const { db, seal } = tools;
  const find = (runId: string) => db.get<RunRow>('SELECT * FROM run WHERE run_id = ?', runId);

  const since = createCommandsSince(tools);
  const drafts = createDrafts(tools);

  const add = (run: FinishedRun, form?: 'drafted'): boolean => {
    const { runId, startedAt, durationMs, state } = run;
    const drafted = form === undefined ? undefined : drafts.take(runId);
    const seq = insertRun(tools, run, {
      drafted,
      runId,
      state,
      attempt: 1,
      runAt: startedAt,
      submittedAt: startedAt,
      startedAt,
      owner: null,
      leaseUntil: null,
    });
    if (seq === undefined) {
      if (drafted !== undefined) removeParts(db, drafted.seq);
      return false;
    }
    if (drafted === undefined) writeCommands(tools, { seq, attempt: 1 }, run.commands);
    else indexLate(tools, seq);
    db.run(
      'UPDATE run SET ended_at = ?, ended_event = ?, duration_ms = ?, counts = ?, error = ? WHERE seq = ?',
      startedAt + Math.round(durationMs),
      advance(tools, 'event'),
      durationMs,
      JSON.stringify(run.counts),
      run.error === undefined ? null : JSON.stringify(run.error),
      seq,
    );
    tellShare(tools, run);
    countRun(tools, { seq, caller: run.caller });
    makeRoom(tools, run.caller, { but: seq });
    return true;
  };

  return {
    add,
    record: (run, form) => void add(run, form),
    draft: drafts.add,
    run(runId) {
      const row = find(runId);
      if (row === undefined) return null;
      const request = db.get<{ body: string; options: string }>('SELECT body, options FROM request WHERE seq = ?', row.seq);
      const kept = keptOf(db, row.seq);
      return {
        ...toRun(row),
        body: fromText(seal.open(request?.body ?? 'null')),
        ...(kept !== undefined && { kept }),
        options: fromText(request?.options ?? 'null'),
        commands: readCommands(tools, row.seq),
      };
    },
    runs: (filter = {}, cursor) => listRuns(tools, filter, cursor),
    deadLetters: ({ queue, limit, cursor } = {}) =>
      listRuns(tools, { states: ['dead'], ...(queue !== undefined && { queue }), ...(limit !== undefined && { limit }) }, cursor),
    head(runId) {
      const row = find(runId);
      return row === undefined ? null : toRun(row);
    },
    events(runId, after, limit = Number.MAX_SAFE_INTEGER) {
      const row = find(runId);
      if (row === undefined) return [];
      const events: RunEvent[] = since(row, after, limit).map(({ id, command }) => ({ id, kind: 'command', command }));
      const hasRoom = events.length < limit;
      if (hasRoom && row.ended_event !== null && row.ended_event > after)
        events.push({ id: row.ended_event, kind: 'done', run: toRun(row) });
      return events;
    },
  };
};
