import { RecordedException } from '../../../../core/errors.ts';
import type { CommandView, RunDetail, RunView } from '../../../../core/ports/runs.ts';
import type { Outcome, RunResult, Status } from '../../../../core/result.ts';

/** A run as lists of the HTTP door show it. */
export const summaryOf = (run: RunView) => ({
  run_id: run.runId,
  state: run.state,
  name: run.name,
  source: run.source,
  caller: run.caller,
  mode: run.mode,
  dry_run: run.isDryRun,
  plan_hash: run.planHash,
  parent: run.parent,
  queue: run.queue,
  attempt: run.attempt,
  cancel_requested: run.isCancelRequested,
  submitted_at: timeOf(run.submittedAt),
  started_at: timeOf(run.startedAt),
  ended_at: timeOf(run.endedAt),
  duration_ms: run.durationMs,
  counts: run.counts,
  error: run.error,
});

/** A command as a record shows it: like an entry of a result, but it may still wait or run. */
export const entryOf = ({ index, id, action, state, durationMs, ...rest }: CommandView) => ({
  index,
  ...(id !== null && { id }),
  action,
  status: state,
  ...pick(rest, ['arguments', 'value', 'error', 'reason', 'notes', 'plan', 'steps', 'truncated']),
  duration_ms: durationMs ?? 0,
});

/** A run with everything that is known of it. */
export const recordOf = (run: RunDetail) => ({
  ...summaryOf(run),
  versions: run.versions,
  request: run.body,
  ...pick(run.named ?? {}, ['event', 'schedule']),
  results: run.commands.map(entryOf),
});

/** What was, or would have been, answered to whoever waited for a run; undefined while it is not over. Throws what it was refused with. */
export const recordedResult = (run: RunDetail): RunResult | undefined => {
  const { state, commands, error } = run;
  if (state === 'queued' || state === 'running') return undefined;
  if (error !== null && commands.length === 0) throw new RecordedException(error);
  return {
    run_id: run.runId,
    ok: state === 'ok',
    status: state === 'ok' || state === 'cancelled' ? state : 'failed',
    counts: run.counts ?? countsOf(commands),
    duration_ms: run.durationMs ?? 0,
    ...(run.isDryRun && run.planHash !== null && { plan_hash: run.planHash }),
    results: commands.map((command) => entryOf(command) as Outcome), // nothing waits or runs in a run that is over
  };
};

const STATUSES: readonly Status[] = ['ok', 'failed', 'skipped', 'planned', 'reused', 'cancelled', 'indeterminate'];

const countsOf = (commands: readonly CommandView[]): RunResult['counts'] =>
  Object.fromEntries(STATUSES.map((status) => [status, commands.filter(({ state }) => state === status).length])) as RunResult['counts']; // every status has a line

const timeOf = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

const pick = <T extends object, K extends keyof T>(from: T, keys: readonly K[]): Partial<Pick<T, K>> =>
  Object.fromEntries(keys.filter((key) => from[key] !== undefined).map((key) => [key, from[key]])) as Partial<Pick<T, K>>; // only these keys were taken
