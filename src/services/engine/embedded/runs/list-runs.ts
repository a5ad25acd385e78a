import { ArgumentException } from '../../../../core/errors.ts';
import type { SqlValue } from '../../driver.ts';
import type { Page, Run, RunFilter, RunState } from '../../port/runs.ts';
import type { Tools } from '../repository.ts';
import { type RunRow, toRun } from './run-row.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 1_000;

type Clause = readonly [sql: string, ...values: SqlValue[]];

/** Runs that fit, newest first. A cursor names the last run shown, so that new ones do not shift the pages. */
export const listRuns = ({ db }: Tools, filter: RunFilter, cursor: string | undefined): Page<Run> => {
  const limit = Math.max(1, Math.min(filter.limit ?? DEFAULT_LIMIT, MAX_LIMIT));
  const clauses = [...clausesOf(filter), ...(cursor === undefined ? [] : [clauseAfter(cursor)])];
  const where = clauses.length === 0 ? '' : `WHERE ${clauses.map(([sql]) => sql).join(' AND ')}`;
  const rows = db.all<RunRow>(
    `SELECT run.* FROM run JOIN request USING (seq) ${where} ORDER BY run.submitted_at DESC, run.seq DESC LIMIT ?`,
    ...clauses.flatMap(([, ...values]) => values),
    limit + 1,
  );
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map(toRun),
    cursor: rows.length > limit && last !== undefined ? `${last.submitted_at}.${last.seq}` : null,
  };
};

const clausesOf = ({ states, sources, caller, queue, action, parent, since, until, text }: RunFilter): Clause[] => [
  ...(states === undefined ? [] : [hasState(states)]),
  ...(sources === undefined ? [] : [isOneOf('run.source', sources)]),
  ...(caller === undefined ? [] : [['run.caller = ?', caller] as const]),
  ...(queue === undefined ? [] : [['run.queue = ?', queue] as const]),
  ...(parent === undefined ? [] : [['run.parent = ?', parent] as const]),
  ...(since === undefined ? [] : [['run.submitted_at >= ?', since] as const]),
  ...(until === undefined ? [] : [['run.submitted_at < ?', until] as const]),
  ...(action === undefined ? [] : [['instr(request.body, ?) > 0', JSON.stringify(action)] as const]),
  ...(text === undefined
    ? []
    : [["(request.body LIKE ? ESCAPE '\\' OR run.name LIKE ? ESCAPE '\\')", containing(inJson(text)), containing(text)] as const]),
];

/** Few runs are set aside; they have an index each, which is used where the state stands in the text. */
const SET_ASIDE: ReadonlySet<RunState> = new Set(['dead', 'indeterminate']);

const hasState = (states: readonly RunState[]): Clause => {
  const [only] = states;
  return states.length === 1 && only !== undefined && SET_ASIDE.has(only) ? [`run.state = '${only}'`] : isOneOf('run.state', states);
};

const isOneOf = (column: string, values: readonly string[]): Clause => [
  `${column} IN (SELECT value FROM json_each(?))`,
  JSON.stringify(values),
];

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

const clauseAfter = (cursor: string): Clause => {
  const [, submittedAt, seq] = /^(\d{1,16})\.(\d{1,16})$/.exec(cursor) ?? [];
  if (submittedAt === undefined || seq === undefined) {
    throw new ArgumentException('The cursor is not one that a list of runs gave out; start again without it.', {
      context: { argument: 'cursor' },
    });
  }
  return ['(run.submitted_at, run.seq) < (?, ?)', Number(submittedAt), Number(seq)];
};
