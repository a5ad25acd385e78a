import type { CommandChange, CommandRecord, CommandState } from '../../port/runs.ts';
import { advanceBy, fromText, optional, type Tools } from '../repository.ts';
import { cutValue, dropLong } from './cut.ts';

interface CommandRow {
  readonly idx: number;
  readonly node_id: string | null;
  readonly action: string | null;
  readonly state: CommandState;
  readonly attempt: number;
  readonly idempotent: number | null;
  readonly result: string | null;
  readonly error: string | null;
  readonly detail: string | null;
  readonly truncated: number | null;
  readonly started_at: number | null;
  readonly duration_ms: number | null;
  readonly event: number;
}

/** What was known of an earlier attempt goes when a command starts anew; what a change leaves out stays otherwise. */
const WRITE = `
  INSERT INTO node (run_seq, idx, node_id, action, state, attempt, idempotent, result, error, detail, truncated, started_at, duration_ms, event)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET
    node_id = coalesce(excluded.node_id, node_id),
    action = coalesce(excluded.action, action),
    state = excluded.state,
    attempt = excluded.attempt,
    idempotent = coalesce(excluded.idempotent, idempotent),
    result = iif(excluded.state IN ('waiting', 'running'), NULL, coalesce(excluded.result, result)),
    error = iif(excluded.state IN ('waiting', 'running'), NULL, coalesce(excluded.error, error)),
    detail = iif(excluded.state IN ('waiting', 'running'), NULL, coalesce(excluded.detail, detail)),
    truncated = iif(excluded.state IN ('waiting', 'running'), NULL, coalesce(excluded.truncated, truncated)),
    started_at = coalesce(excluded.started_at, started_at),
    duration_ms = coalesce(excluded.duration_ms, duration_ms),
    event = excluded.event`;

interface Where {
  readonly seq: number;
  readonly attempt: number;
}

/** Writes down news of commands, each as an event of its own. */
export const writeCommands = (
  tools: Tools,
  { seq, attempt }: Where,
  changes: readonly CommandChange[],
  nextEvent = advanceBy(tools, 'event', changes.length),
): void => {
  for (const {
    index,
    id,
    action,
    state,
    isIdempotent,
    value,
    error,
    startedAt,
    durationMs,
    reason,
    notes,
    plan,
    steps,
    truncated,
  } of changes) {
    const result = value === undefined ? undefined : cutValue(value);
    const hasDetail = reason !== undefined || notes !== undefined || plan !== undefined || steps !== undefined;
    const detail = hasDetail ? dropLong({ reason, notes, plan, steps }) : undefined;
    tools.db.run(
      WRITE,
      seq,
      index,
      optional(id),
      optional(action),
      state,
      attempt,
      isIdempotent === undefined ? null : Number(isIdempotent),
      optional(result?.text),
      error === undefined ? null : JSON.stringify(error),
      optional(detail?.text),
      truncated || result?.isCut || detail?.isCut ? 1 : null,
      optional(startedAt),
      optional(durationMs),
      nextEvent(),
    );
  }
};

/** All commands of a run, in the order of the list. */
export const readCommands = ({ db }: Tools, seq: number): CommandRecord[] =>
  db.all<CommandRow>('SELECT * FROM node WHERE run_seq = ? ORDER BY idx', seq).map(toCommand);

/** One command of a run, and how long what is kept of it is. */
export const readCommand = (
  { db }: Tools,
  seq: number,
  index: number,
): { readonly command: CommandRecord; readonly letters: number } | undefined => {
  const row = db.get<CommandRow>('SELECT * FROM node WHERE run_seq = ? AND idx = ?', seq, index);
  if (row === undefined) return undefined;
  return { command: toCommand(row), letters: (row.result?.length ?? 0) + (row.error?.length ?? 0) + (row.detail?.length ?? 0) };
};

const toCommand = (row: CommandRow): CommandRecord => ({
  index: row.idx,
  id: row.node_id,
  action: row.action,
  state: row.state,
  attempt: row.attempt,
  isIdempotent: row.idempotent === 1,
  ...(row.result !== null && { value: fromText(row.result) }),
  ...(row.error !== null && { error: fromText(row.error) }),
  ...(row.detail !== null && fromText<Pick<CommandRecord, 'reason' | 'notes' | 'plan' | 'steps'>>(row.detail)),
  ...(row.truncated === 1 && { truncated: true as const }), // the type says so: never false
  ...(row.started_at !== null && { startedAt: row.started_at }),
  ...(row.duration_ms !== null && { durationMs: row.duration_ms }),
});
