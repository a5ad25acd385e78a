import type { Submission } from '../../port/engine.ts';
import type { RunFacts, RunId, RunState } from '../../port/runs.ts';
import { optional, type Tools, toText } from '../repository.ts';
import type { Draft } from './drafts.ts';
import { keepOnly } from './kept.ts';

/** What was asked for. */
export type Wanted = RunFacts & Pick<Submission, 'key' | 'queue' | 'priority' | 'tags' | 'maxAttempts'>;

/** How a run first appears. */
export interface Entry {
  readonly runId: RunId;
  readonly state: RunState;
  readonly attempt: number;
  readonly runAt: number;
  readonly submittedAt: number;
  /** Where it starts at once: since when, in whose hands, until when. */
  readonly startedAt: number | null;
  readonly owner: string | null;
  readonly leaseUntil: number | null;
  /** Its number and the text of its list, where they came before. */
  readonly drafted?: Draft | undefined;
}

export const DEFAULT_QUEUE = 'default';
const DEFAULT_MAX_ATTEMPTS = 3;

const INSERT = `
  INSERT INTO run (seq, run_id, key, queue, priority, source, caller, name, mode, dry_run, plan_hash, parent, versions, tags, state, attempt,
    max_attempts, fence, owner, lease_until, run_at, submitted_at, started_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT DO NOTHING`;

/** Adds a run; answers its number, or undefined where its id is known. */
export const insertRun = ({ db, seal }: Tools, run: Wanted, entry: Entry): number | undefined => {
  const seq = db.insert(
    INSERT,
    optional(entry.drafted?.seq),
    entry.runId,
    optional(run.key),
    run.queue ?? DEFAULT_QUEUE,
    run.priority ?? 0,
    run.source,
    run.caller,
    optional(run.name),
    run.mode ?? 'serial',
    Number(run.isDryRun ?? false),
    optional(run.planHash),
    optional(run.parent),
    JSON.stringify(run.versions ?? {}),
    run.tags === undefined || run.tags.length === 0 ? null : JSON.stringify(run.tags),
    entry.state,
    entry.attempt,
    run.maxAttempts ?? DEFAULT_MAX_ATTEMPTS,
    entry.attempt,
    entry.owner,
    entry.leaseUntil,
    entry.runAt,
    entry.submittedAt,
    entry.startedAt,
  );
  if (seq === undefined) return undefined;
  const body = entry.drafted?.body ?? toText(run.body);
  db.run(
    'INSERT INTO request (seq, body, options) VALUES (?, ?, ?)',
    seq,
    run.kept === undefined ? body : seal.seal(body),
    toText(run.options),
  );
  if (run.kept !== undefined) keepOnly(db, seq, run.kept);
  return seq;
};
