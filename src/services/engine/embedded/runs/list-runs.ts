import { ArgumentException } from '../../../../core/errors.ts';
import type { SqlValue } from '../../driver.ts';
import type { Page, Run, RunFilter, RunSource, RunState } from '../../port/runs.ts';
import type { Tools } from '../repository.ts';
import { type RunRow, toRun } from './run-row.ts';
import { indexedUpTo, threesOf } from './text-index.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 1_000;
/** So many of the newest runs are looked through before an index is asked: mostly what is looked for is among them. */
const NEWEST = 2_000;

type Clause = readonly [sql: string, ...values: SqlValue[]];

/** Runs that fit, newest first. A cursor names the last run shown, so that new ones do not shift the pages. */
export const listRuns = (tools: Tools, filter: RunFilter, cursor: string | undefined): Page<Run> => {
  const limit = Math.max(1, Math.min(filter.limit ?? DEFAULT_LIMIT, MAX_LIMIT));
  const rows = find(tools, filter, cursor === undefined ? [] : [clauseAfter(cursor)], limit + 1);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map(toRun),
    cursor: rows.length > limit && last !== undefined ? `${last.submitted_at}.${last.seq}` : null,
  };
};

const find = (tools: Tools, filter: RunFilter, after: readonly Clause[], wanted: number): readonly RunRow[] => {
  const { states, ...rest } = filter;
  const index = textIndexFor(tools, filter);
  if (index !== undefined) {
    const newest = among(tools, { from: NEWEST_RUNS, before: after, clauses: clausesOf(filter), needsBody: true, wanted });
    if (newest.length === wanted) return newest;
    return among(tools, { from: index, before: [], clauses: [...clausesOf(filter), ...after], needsBody: true, wanted });
  }
  const needsBody = filter.text !== undefined || filter.action !== undefined;
  // States have an index each; several are looked for one by one, because there is none for them together.
  const each: RunFilter[] = states === undefined ? [rest] : [...new Set(states)].map((state) => ({ ...rest, states: [state] }));
  const found = each.flatMap((one) =>
    among(tools, { from: runsIn(one), before: [], clauses: [...clausesOf(one), ...after], needsBody, wanted }),
  );
  return each.length === 1 ? found : found.sort((a, b) => b.submitted_at - a.submitted_at || b.seq - a.seq).slice(0, wanted);
};

/** Where to look. `before` is asked before some are taken, `clauses` of what was taken. */
interface Look {
  readonly from: Clause;
  readonly before: readonly Clause[];
  readonly clauses: readonly Clause[];
  readonly needsBody: boolean;
  readonly wanted: number;
}

/** Few runs are in these states, and none of their indexes is in the order of the list. */
const RARE: ReadonlySet<RunState> = new Set(['queued', 'running', 'dead', 'indeterminate']);
const runsIn = ({ states: [only] = [], sources = [] }: RunFilter): Clause => {
  if (only !== undefined) return [RARE.has(only) ? `run INDEXED BY run_${only}` : 'run'];
  return [isOnlyUndo(sources) ? 'run INDEXED BY run_undo' : 'run'];
};

/** Asked for whenever something is taken back. */
const isOnlyUndo = (sources: readonly RunSource[]): boolean => sources.length === 1 && sources[0] === 'undo';
const NEWEST_RUNS: Clause = [`(SELECT * FROM run %before ORDER BY run.submitted_at DESC, run.seq DESC LIMIT ${NEWEST}) AS run`];

const among = ({ db }: Tools, { from: [from, ...asked], before, clauses, needsBody, wanted }: Look): RunRow[] =>
  db.all<RunRow>(
    `SELECT run.* FROM ${from.replace('%before', whereOf(before))} ${needsBody ? 'CROSS JOIN request USING (seq) LEFT JOIN kept USING (seq)' : ''}
     ${whereOf(clauses)} ORDER BY run.submitted_at DESC, run.seq DESC LIMIT ?`,
    ...asked,
    ...[...before, ...clauses].flatMap(([, ...values]) => values),
    wanted,
  );

const whereOf = (clauses: readonly Clause[]): string => (clauses.length === 0 ? '' : `WHERE ${clauses.map(([sql]) => sql).join(' AND ')}`);

/** The runs whose lists may hold a text: those that the index names, and those that it does not know yet. */
const textIndexFor = ({ db }: Tools, { text, action }: RunFilter): Clause | undefined => {
  const asked = [text === undefined ? undefined : asWritten(text), action === undefined ? undefined : threesOf(JSON.stringify(action))]
    .filter((threes) => threes !== undefined)
    .map((threes) => `(${threes})`);
  if (asked.length === 0) return undefined;
  return [
    `(SELECT rowid AS seq FROM run_text WHERE run_text MATCH ? UNION SELECT seq FROM run WHERE seq > ? UNION SELECT seq FROM text_later)
     CROSS JOIN run USING (seq)`,
    asked.join(' AND '),
    indexedUpTo(db),
  ];
};

/** In a list a text is written as JSON, in the name of a run as it is. */
const asWritten = (text: string): string | undefined => {
  const [inList, inName] = [threesOf(inJson(text)), threesOf(text)];
  if (inList === undefined || inName === undefined) return undefined;
  return inList === inName ? inList : `(${inList}) OR (${inName})`;
};

/** What may be shown of a list is what it is found by. */
const SHOWN = 'coalesce(kept.body, request.body)';

const clausesOf = ({ states, sources, caller, queue, action, parent, since, until, text }: RunFilter): Clause[] => [
  ...(states === undefined ? [] : [hasState(states)]),
  ...(sources === undefined ? [] : [isOnlyUndo(sources) ? (["run.source = 'undo'"] as const) : isOneOf('run.source', sources)]),
  ...(caller === undefined ? [] : [['run.caller = ?', caller] as const]),
  ...(queue === undefined ? [] : [['run.queue = ?', queue] as const]),
  ...(parent === undefined ? [] : [['run.parent = ?', parent] as const]),
  ...(since === undefined ? [] : [['run.submitted_at >= ?', since] as const]),
  ...(until === undefined ? [] : [['run.submitted_at < ?', until] as const]),
  ...(action === undefined ? [] : [[`instr(${SHOWN}, ?) > 0`, JSON.stringify(action)] as const]),
  ...(text === undefined
    ? []
    : [[`(${SHOWN} LIKE ? ESCAPE '\\' OR run.name LIKE ? ESCAPE '\\')`, containing(inJson(text)), containing(text)] as const]),
];

/** All but `ok` have an index of their own, which is used where the state stands in the text of the statement. */
const STATES: ReadonlySet<RunState> = new Set(['queued', 'running', 'ok', 'failed', 'cancelled', 'dead', 'indeterminate']);

const hasState = (states: readonly RunState[]): Clause => {
  const [only] = states;
  return states.length === 1 && only !== undefined && STATES.has(only) ? [`run.state = '${only}'`] : isOneOf('run.state', states);
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
