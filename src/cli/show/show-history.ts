import type { Run, ShownRun } from '../../app/command-line/history.ts';
import { visible } from '../../lib/json/locate.ts';
import type { Cli } from '../cli.ts';
import { milliseconds } from '../terminal/units.ts';
import { showJson } from './show-run.ts';

/** Prints runs, one a line, on request with why they failed below. */
export const showRuns = (cli: Cli, runs: readonly Run[], { withErrors = false }: { readonly withErrors?: boolean } = {}): void => {
  if (cli.wants.json) showJson(cli, runs.map(shown));
  else if (runs.length === 0) cli.out.line('There are no such runs.');
  else
    for (const run of runs) {
      cli.out.line(lineOf(cli, run));
      if (withErrors && run.error !== null) cli.out.line(errorLine(run.error));
    }
};

/** Prints one run with its list and every command. */
export const showRecord = (cli: Cli, run: ShownRun): void => {
  if (cli.wants.json) {
    showJson(cli, {
      ...shown(run),
      request: run.body,
      ...run.named,
      results: run.commands.map(({ state, ...rest }) => ({ ...rest, status: state })),
    });
    return;
  }
  const { out } = cli;
  const { dim, yellow } = out.colors;
  out.line(lineOf(cli, run));
  if (run.parent !== null) out.line(dim(`  of ${run.parent}`));
  if (run.error !== null) out.line(errorLine(run.error));
  for (const [name, about] of Object.entries(run.named)) out.line(dim(`  ${name}: ${aboutLine(about)}`));
  for (const command of run.commands) {
    const { index, action, state, error, notes = [] } = command;
    out.line(
      `  ${String(index).padStart(3)}  ${paint(cli, state)}  ${visible(action ?? '?')}${error === undefined ? '' : `  ${visible(error.message)}`}`,
    );
    if (command.arguments !== undefined) out.line(`       ${argumentsLine(command)}`);
    for (const { kind, message } of notes) out.line(`       ${yellow(visible(kind))}: ${visible(message)}`);
  }
  out.line(dim(visible(JSON.stringify(run.body))));
};

/** What a command that waits for a verdict was given. */
export const argumentsLine = ({ arguments: given }: ShownRun['commands'][number]): string => `with ${visible(JSON.stringify(given))}`;

/** An event by what happened to which files, anything else in full. */
export const aboutLine = (about: ShownRun['named'][string] | undefined): string => {
  if (typeof about !== 'object' || about === null || !('kind' in about) || !('paths' in about)) return visible(JSON.stringify(about));
  return visible(`${String(about.kind)} ${[about.paths].flat().join(', ')}`);
};

const errorLine = ({ type, message }: NonNullable<Run['error']>): string => `  ${visible(`${type}: ${message}`)}`;

const lineOf = (cli: Cli, { runId, state, submittedAt, source, caller, name, durationMs, counts }: Run): string => {
  const { dim } = cli.out.colors;
  const count = counts === null ? undefined : Object.values(counts).reduce((sum, each) => sum + each, 0);
  const commands = count === undefined ? '' : `${count} ${count === 1 ? 'command' : 'commands'}`;
  const facts = [
    dim(new Date(submittedAt).toISOString()),
    `${source}/${visible(caller)}`,
    commands,
    durationMs === null ? '' : milliseconds(durationMs),
  ];
  const isPlan = state === 'ok' && (counts?.planned ?? 0) > 0; // it has only told what would happen
  return [
    runId,
    paint(cli, isPlan ? 'planned' : state),
    ...facts.filter((fact) => fact !== ''),
    ...(name === null ? [] : [visible(name)]),
  ].join('  ');
};

const paint = ({ out }: Cli, state: string): string => {
  const { green, red, yellow } = out.colors;
  const word = state.padEnd('indeterminate'.length);
  if (state === 'ok' || state === 'reused') return green(word);
  return state === 'failed' || state === 'dead' ? red(word) : yellow(word);
};

const shown = (run: Run) => ({
  run_id: run.runId,
  state: run.state,
  name: run.name,
  source: run.source,
  caller: run.caller,
  plan_hash: run.planHash,
  parent: run.parent,
  submitted_at: new Date(run.submittedAt).toISOString(),
  duration_ms: run.durationMs,
  counts: run.counts,
  error: run.error,
  versions: run.versions,
});
