import type { Counts, Outcome, RunResult, Status } from '../../core/result.ts';
import { visible } from '../../lib/json/locate.ts';
import type { Colors } from '../terminal/colors.ts';
import type { Symbols } from '../terminal/symbols.ts';
import { count, milliseconds } from '../terminal/units.ts';
import { countsOf } from './answered-no.ts';

/** How results look. */
export interface Look {
  readonly colors: Colors;
  readonly symbols: Symbols;
  /** Whether a command answered a question with no. */
  isNo?(outcome: Outcome): boolean;
}

const LONGEST_VALUE = 72;

/** One line per command, below it what went wrong and how to mend it. */
export const outcomeLines = (results: readonly Outcome[], look: Look, indent = ''): string[] => {
  const width = results.reduce((widest, outcome) => Math.max(widest, labelOf(outcome).length), 0);
  return results.flatMap((outcome) => [
    indent + headLine(outcome, width, look),
    ...detailLines(outcome, look).map((line) => `${indent}  ${' '.repeat(width)} ${line}`),
  ]);
};

/** `3 ok, 1 failed in 12 ms`. */
export const summaryLine = ({ counts, duration_ms: durationMs, status, run_id: runId, results }: RunResult, look: Look): string => {
  const { bold, dim, green, red, yellow } = look.colors;
  const paint = status === 'ok' ? green : red;
  const no = results.filter((outcome) => look.isNo?.(outcome)).length;
  return `${bold(paint(countsText(counts)))}${no === 0 ? '' : yellow(` (${count(no)} answered no)`)} in ${milliseconds(durationMs)} ${dim(`(run ${runId})`)}`;
};

const STATUSES: readonly Status[] = ['ok', 'planned', 'reused', 'failed', 'skipped', 'cancelled', 'indeterminate'];

/** `3 ok, 1 failed`; statuses that did not occur are left out. */
const countsText = (counts: Counts): string => {
  const met = STATUSES.filter((status) => counts[status] > 0);
  return met.length === 0 ? 'nothing to do' : met.map((status) => `${count(counts[status])} ${status}`).join(', ');
};

const labelOf = ({ id, index }: Outcome): string => visible(id ?? String(index));

const headLine = (outcome: Outcome, width: number, { colors, symbols, isNo }: Look): string => {
  const { dim, yellow } = colors;
  const { status, action, error, value, steps, duration_ms: durationMs } = outcome;
  const answersNo = isNo?.(outcome) === true;
  const given = steps === undefined ? value : undefined;
  const said = error !== undefined ? error.type : answersNo ? yellow(`no: ${visible(countsOf(value))}`) : shortValue(given);
  const sign = answersNo ? yellow(symbols.warn) : paintOf(status, colors)(symbols.status[status]);
  const parts = [sign, dim(labelOf(outcome).padEnd(width)), visible(action ?? '(no action)')];
  return [...parts, ...(said === '' ? [] : [` ${said}`]), ...(durationMs > 0 ? [dim(` ${milliseconds(durationMs)}`)] : [])].join(' ');
};

const paintOf = (status: Status, { green, red, yellow, cyan }: Colors): ((text: string) => string) => {
  switch (status) {
    case 'ok':
    case 'reused':
      return green;
    case 'planned':
      return cyan;
    case 'failed':
    case 'indeterminate':
      return red;
    case 'skipped':
    case 'cancelled':
      return yellow;
  }
};

/** A value on one line: the beginning of its JSON; nothing for null. */
const shortValue = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  const text = visible(JSON.stringify(value).slice(0, LONGEST_VALUE + 1));
  return text.length <= LONGEST_VALUE ? text : `${text.slice(0, LONGEST_VALUE)}…`;
};

const detailLines = (outcome: Outcome, look: Look): string[] => [
  ...(outcome.error === undefined ? [] : [look.colors.red(visible(outcome.error.message))]),
  ...besideLines(outcome, look),
];

/** What else there is to say of a command: hints, notes, the commands of its nested list that went wrong. */
export const besideLines = ({ error, reason, notes = [], steps }: Outcome, look: Look): string[] => {
  const { dim, yellow } = look.colors;
  return [
    ...(error?.type === 'InternalException' ? [dim('Set FACTOTUM_DEBUG=1 to see the details.')] : []),
    ...(reason === undefined ? [] : [dim(visible(reason))]),
    ...notes.map(({ kind, message }) => `${yellow(visible(kind))}: ${visible(message)}`),
    ...[steps ?? []].flat().flatMap((run) => stepLines(run, look)),
  ];
};

/** A nested list: its sum, and its commands only where one went wrong. */
const stepLines = ({ ok, counts, results }: RunResult, look: Look): string[] => [
  look.colors.dim(`steps: ${countsText(counts)}`),
  ...(ok
    ? []
    : outcomeLines(
        results.filter(({ status }) => status !== 'ok'),
        look,
        '  ',
      )),
];
