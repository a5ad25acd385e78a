import type { RunResult } from '../../core/result.ts';
import { visible } from '../../lib/json/locate.ts';
import type { Cli } from '../cli.ts';
import { exitCodeOf } from '../exit-code.ts';
import { count } from '../terminal/units.ts';
import { showJson } from './show-run.ts';

/** What a run that undid another has as its value. */
interface UndoValue {
  readonly undone_count: number;
  readonly refused: readonly { readonly path: string; readonly reason: string }[];
  readonly refused_count: number;
}

/** Prints what became of undoing a run; answers the exit code. */
export const showUndo = (cli: Cli, result: RunResult): number => {
  const { out, symbols, wants } = cli;
  if (wants.json) showJson(cli, result);
  else {
    const { green, red, yellow } = out.colors;
    const { undone_count, refused, refused_count } = valueIn(result);
    for (const { path, reason } of refused) out.line(`${red(symbols.bad)} ${visible(path)}: ${visible(reason)}`);
    if (refused_count > refused.length) out.line(`  and ${count(refused_count - refused.length)} more`);
    for (const { message } of result.results[0]?.notes ?? []) out.line(`${yellow(symbols.warn)} ${visible(message)}`);
    if (!wants.quiet || refused_count > 0) {
      const left = refused_count === 0 ? '' : `, ${count(refused_count)} left as they are`;
      out.line(`${result.ok ? green(symbols.good) : red(symbols.bad)} ${changes(undone_count)} undone${left}.`);
    }
  }
  return exitCodeOf(result);
};

const valueIn = ({ results: [command] }: RunResult): UndoValue =>
  (command?.value as UndoValue | undefined) ?? { undone_count: 0, refused: [], refused_count: 0 }; // as the undo service writes it

const changes = (amount: number): string => (amount === 1 ? '1 change' : `${count(amount)} changes`);
