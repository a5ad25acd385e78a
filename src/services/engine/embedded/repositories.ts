import type { Commands, Engine } from '../port/engine.ts';
import type { FinishedRun } from '../port/runs.ts';
import type { Shelves } from '../port/shelves.ts';
import type { SpooledRun } from '../spool/spool.ts';
import { schemaOf } from './migrate.ts';
import type { Sync, Tools } from './repository.ts';
import { claimRepository } from './runs/claim.ts';
import { commandsRepository } from './runs/commands.ts';
import type { DraftPiece } from './runs/drafts.ts';
import { historyRepository } from './runs/history.ts';
import { pruneSlice } from './runs/prune.ts';
import { settleRepository } from './runs/settle.ts';
import { submitRepository } from './runs/submit.ts';
import { indexSlice } from './runs/text-index.ts';
import { approvalsRepository } from './shelves/approvals.ts';
import { auditRepository } from './shelves/audit.ts';
import { ledgerRepository } from './shelves/ledger.ts';
import { locksRepository } from './shelves/locks.ts';
import { notificationsRepository } from './shelves/notifications.ts';
import { queueRepository } from './shelves/queue.ts';
import { schedulesRepository } from './shelves/schedules.ts';
import { statesRepository } from './shelves/states.ts';
import { transfersRepository } from './shelves/transfers.ts';
import { undoRepository } from './shelves/undo.ts';
import { watchersRepository } from './shelves/watchers.ts';

/** What can be asked of runs; the rest of `Engine` is made of these. */
export interface RunCalls
  extends Pick<
    Engine,
    | 'submit'
    | 'claim'
    | 'abandon'
    | 'heartbeat'
    | 'settle'
    | 'cancel'
    | 'verdict'
    | 'deadLetters'
    | 'redrive'
    | 'fire'
    | 'run'
    | 'head'
    | 'runs'
    | 'events'
    | 'health'
    | 'probe'
  > {
  /** Records a run that is over; of one that was `drafted`, list and commands have come before. */
  record(run: FinishedRun, form?: 'drafted'): Promise<void>;
  /** Takes a piece of the record of a long run; its number tells the order. */
  draft(runId: string, at: number, piece: DraftPiece): Promise<void>;
  /** Records what one-shots left in the spool; their files may go afterwards. */
  takeIn(runs: readonly SpooledRun[]): Promise<void>;
  /** Adds some runs to the index of texts; answers how many it looked at. */
  indexSlice(): Promise<number>;
  /** One slice of `prune`. */
  pruneSlice: Engine['prune'];
}

/** Everything that can be asked, by shelf. */
export interface Asked extends Shelves {
  readonly runs: RunCalls;
  readonly nodes: Commands;
}

export type Repositories = { readonly [S in keyof Asked]: Sync<Asked[S]> };

/** All repositories over one connection. */
export const createRepositories = (tools: Tools): Repositories => {
  const submitting = submitRepository(tools);
  const claiming = claimRepository(tools);
  const { add, ...history } = historyRepository(tools);
  const undo = undoRepository(tools);
  const count = (state: 'queued' | 'running') =>
    tools.db.get<{ rows: number }>(`SELECT count(*) AS rows FROM run WHERE state = '${state}'`)?.rows ?? 0;
  return {
    runs: {
      ...submitting,
      ...claiming,
      ...settleRepository(tools),
      ...history,
      takeIn(runs) {
        for (const { run, undo: entries } of runs) if (add(run)) undo.append(run.runId, entries);
      },
      indexSlice: () => indexSlice(tools),
      pruneSlice: (retention) => pruneSlice(tools, retention),
      probe: () => void tools.db.run("INSERT OR REPLACE INTO meta (name, value) VALUES ('probe', ?)", String(tools.now())),
      health: () => ({ ...tools.condition(), schema: schemaOf(tools.db), queued: count('queued'), running: count('running') }),
    },
    nodes: commandsRepository(tools),
    audit: auditRepository(tools),
    queue: queueRepository(tools, claiming.claim),
    schedules: schedulesRepository(tools),
    watchers: watchersRepository(tools),
    ledger: ledgerRepository(tools, submitting.submit),
    locks: locksRepository(tools),
    transfers: transfersRepository(tools),
    notifications: notificationsRepository(tools),
    undo,
    approvals: approvalsRepository(tools),
    states: statesRepository(tools),
  };
};
