import type { Outcome, RunResult } from '../../core/result.ts';
import type { Cli } from '../cli.ts';
import { EXIT, exitCodeOf } from '../exit-code.ts';
import type { Finished } from '../house.ts';
import { effectCounts, planLines } from './show-plan.ts';
import { type Look, outcomeLines, summaryLine } from './show-result.ts';

/** Prints what became of a run; answers the exit code. `again` gives the command that runs the plan of a dry run, where there is one. */
export const showRun = (cli: Cli, finished: Finished, again: (hash: string) => string | undefined): number => {
  const { result, wasInterrupted } = finished;
  const { out, symbols, wants } = cli;
  const isNo = (outcome: Outcome) => finished.answeredNo?.(outcome) !== undefined;
  const look: Look = { colors: out.colors, symbols, isNo };
  const worthTelling = result.results.filter((outcome) => (outcome.status !== 'ok' && !result.ok) || isNo(outcome));
  if (wants.json) showJson(cli, result);
  else if (result.plan_hash !== undefined) showPlan(cli, result, result.plan_hash, again);
  else if (!wants.quiet) out.write(lines([...outcomeLines(result.results, look), '', summaryLine(result, look)]));
  else if (worthTelling.length > 0) out.write(lines([...outcomeLines(worthTelling, look), summaryLine(result, look)]));
  if (!wants.json) showUndoHint(cli, finished);
  return wasInterrupted ? EXIT.interrupted : exitCodeOf(result);
};

/** Says how to take a run back, where that is possible. */
export const showUndoHint = ({ err, wants }: Cli, { result, canBeUndone }: Finished): void => {
  if (canBeUndone && !wants.quiet) err.line(err.colors.dim(`Undo with: factotum undo ${result.run_id}`));
};

/** For people with line breaks, for programs on one line. */
export const showJson = ({ out }: Cli, value: unknown): void =>
  out.line(out.isTerminal ? JSON.stringify(value, null, 2) : JSON.stringify(value));

const showPlan = ({ out, symbols, wants }: Cli, result: RunResult, hash: string, again: (hash: string) => string | undefined) => {
  const { bold, dim } = out.colors;
  const look: Look = { colors: out.colors, symbols };
  const faults = result.results.filter(({ status }) => status === 'failed');
  const head = wants.quiet ? outcomeLines(faults, look) : [...planLines(result, look, process.cwd()), ''];
  const found = `${result.ok ? effectCounts(result) : 'It would not go through'}; nothing was changed.`;
  const command = result.ok ? again(hash) : undefined;
  const next = command === undefined ? [] : ['To run exactly this:', `  ${command}`];
  out.write(lines([...head, bold(found), `${dim('Plan')} ${hash}`, ...next]));
};

const lines = (all: readonly string[]): string => `${all.join('\n')}\n`;
