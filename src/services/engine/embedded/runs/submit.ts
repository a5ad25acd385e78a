import type { Engine, Submission, Submitted } from '../../port/engine.ts';
import { type Sync, type Tools, toText } from '../repository.ts';
import { newRunId } from '../run-id.ts';
import { DEFAULT_LEASE_MS } from './claim.ts';
import { insertRun } from './insert-run.ts';
import { countRun, demandPlace, demandRoom, tellShare } from './stored-bytes.ts';

type Submitting = Sync<Pick<Engine, 'submit' | 'fire' | 'redrive'>>;

const KEY_LIFE_MS = 24 * 3_600_000;

interface Known {
  readonly seq: number;
  readonly run_id: string;
  readonly submitted_at: number;
}

/** How runs come in: asked for, due by a schedule, or dead and wanted again. */
export const submitRepository = (tools: Tools): Submitting => {
  const { db, now, seal } = tools;

  const knownByKey = ({ caller, key }: Submission): Known | undefined => {
    if (key === undefined) return undefined;
    const known = db.get<Known>('SELECT seq, run_id, submitted_at FROM run WHERE caller = ? AND key = ?', caller, key);
    if (known === undefined || known.submitted_at > now() - KEY_LIFE_MS) return known;
    db.run('UPDATE run SET key = NULL WHERE seq = ?', known.seq);
    return undefined;
  };

  const knownById = ({ runId }: Submission): Known | undefined =>
    runId === undefined ? undefined : db.get<Known>('SELECT seq, run_id, submitted_at FROM run WHERE run_id = ?', runId);

  const duplicate = ({ seq, run_id }: Known, { body, kept }: Submission): Submitted => {
    const stored = seal.open(db.get<{ body: string }>('SELECT body FROM request WHERE seq = ?', seq)?.body ?? '');
    const isSameBody = stored === toText(body) || (kept !== undefined && stored === toText(kept));
    return { runId: run_id, itemId: seq, isDuplicate: true, isSameBody };
  };

  const count = (seq: number, { caller, share }: Submission): void => {
    if (share === undefined) return;
    countRun(tools, { seq, caller });
    demandRoom(tools, caller);
  };

  const submit = (submission: Submission): Submitted => {
    const known = knownByKey(submission) ?? knownById(submission);
    if (known !== undefined) return duplicate(known, submission);
    tellShare(tools, submission);
    const at = now();
    const { runId = newRunId(at), runAt = at, claim } = submission;
    const queued = { runId, runAt, submittedAt: at, state: 'queued', attempt: 0, startedAt: null, owner: null, leaseUntil: null } as const;
    if (claim === undefined) {
      demandPlace(tools, submission);
      const itemId = insertRun(tools, submission, queued) ?? 0;
      count(itemId, submission);
      return { runId, itemId, isDuplicate: false, isSameBody: true };
    }
    const leaseUntil = at + (claim.leaseMs ?? DEFAULT_LEASE_MS);
    const itemId =
      insertRun(tools, submission, { ...queued, state: 'running', attempt: 1, startedAt: at, owner: claim.worker, leaseUntil }) ?? 0;
    count(itemId, submission);
    const { body, options = null, caller, source, name = null } = submission;
    return {
      runId,
      itemId,
      isDuplicate: false,
      isSameBody: true,
      claim: { runId, itemId, attempt: 1, fence: 1, body, options, caller, source, name, submittedAt: at, leaseUntil, earlier: [] },
    };
  };

  return {
    submit,
    fire(schedule, slot, submission) {
      const at = now();
      const runId = submission?.runId ?? (submission === undefined ? null : newRunId(at));
      const isFirst = db.run('INSERT OR IGNORE INTO fire (name, slot, run_id, at) VALUES (?, ?, ?, ?)', schedule, slot, runId, at) === 1;
      if (isFirst && submission !== undefined && runId !== null) submit({ ...submission, runId });
      return isFirst;
    },
    redrive(which) {
      const dead =
        'queue' in which
          ? db.all<{ run_id: string }>("SELECT run_id FROM run WHERE state = 'dead' AND queue = ?", which.queue).map(({ run_id }) => run_id)
          : which;
      return dead.flatMap((runId) => {
        const fresh = newRunId(now());
        return again(tools, runId, fresh) ? [fresh] : [];
      });
    },
  };
};

/** Queues a dead run under a new id. The old one counts as failed from then on, so that it is not asked for twice. */
const again = ({ db, now }: Tools, dead: string, fresh: string): boolean => {
  const seq = db.get<{ seq: number }>("SELECT seq FROM run WHERE run_id = ? AND state = 'dead'", dead)?.seq;
  if (seq === undefined) return false;
  const added = db.insert(
    `INSERT INTO run (run_id, queue, priority, source, caller, name, mode, dry_run, plan_hash, parent, versions, tags, state, attempt,
       max_attempts, fence, run_at, submitted_at)
     SELECT ?, queue, priority, source, caller, name, mode, dry_run, plan_hash, run_id, versions, tags, 'queued', 0, max_attempts, 0, ?, ?
     FROM run WHERE seq = ?`,
    fresh,
    now(),
    now(),
    seq,
  );
  db.run('INSERT INTO request (seq, body, options) SELECT ?, body, options FROM request WHERE seq = ?', added ?? 0, seq);
  db.run('INSERT INTO kept (seq, body) SELECT ?, body FROM kept WHERE seq = ?', added ?? 0, seq);
  db.run("UPDATE run SET state = 'failed' WHERE seq = ?", seq);
  return true;
};
