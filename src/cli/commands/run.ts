import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Cli } from '../cli.ts';
import { shellWords } from '../completion/shell-words.ts';
import { addConfigOption } from '../config-option.ts';
import { defineCommand } from '../define-command.ts';
import { usageFault } from '../faults.ts';
import { historyOption } from '../history-option.ts';
import { withHouse } from '../house.ts';
import { addExamples, addJsonOption, addQuietOption, choiceOption } from '../parser.ts';
import { readList } from '../read-list.ts';
import { showRun } from '../show/show-run.ts';

interface RunFlags {
  readonly mode?: 'serial' | 'parallel';
  readonly validateFirst?: true;
  readonly dryRun?: boolean;
  readonly expectPlan?: string;
  readonly maxWorkers?: number;
  readonly stopOnError?: true;
  readonly history: boolean;
  readonly config?: string;
}

const describe = (parser: Command, cli: Cli) => {
  parser
    .description('Runs a list of actions. Options given here win over those that the list brings along.')
    .argument('<file>', 'The list: a JSON file, or - for standard input.')
    .addOption(choiceOption('--mode <mode>', 'One after the other, or several at once.', ['serial', 'parallel']))
    .option('--validate-first', 'Run nothing unless every name and argument is right.')
    .option('--dry-run', 'Only tell what would happen.')
    .addOption(new Option('--no-dry-run', 'Run it, though the list asks for a dry run.').default(undefined))
    .option('--expect-plan <hash>', 'Run only if a dry run would still give this plan.')
    .option('--max-workers <n>', 'How many actions run at once.', wholeNumber)
    .option('--stop-on-error', 'Skip the rest after a failure; serial lists only.')
    .addOption(historyOption());
  addConfigOption(parser);
  addJsonOption(parser, cli, 'Print the result as JSON.');
  addQuietOption(parser, cli, 'Print only what went wrong.');
  addExamples(parser, [
    ['factotum run list.json', 'run it'],
    ['factotum run list.json --dry-run', 'see what it would do, and get the hash of that plan'],
    ['factotum run list.json --expect-plan HASH', 'run exactly the plan you saw'],
    [`echo '[["FA_stat", ["."]]]' | factotum run - --json`, 'run a list from another program'],
  ]);
};

const wholeNumber = (text: string): number => {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Give a whole number of at least 1.');
  return Number(text);
};

/** `factotum run`. */
export const run = defineCommand({
  name: 'run',
  describe,
  async run(cli, parser) {
    const [file = ''] = parser.args;
    const flags = parser.opts<RunFlags>();
    const request = withFlags(await readList(file, cli), flags);
    const finished = await withHouse(cli, (house) => house.run(request, { keepsHistory: flags.history }), flags);
    return showRun(cli, finished, (hash) => shellWords(['factotum', 'run', file, ...wordsOf(flags, hash)]));
  },
});

/** The list with what the command line says about it. */
const withFlags = (list: unknown, { mode, validateFirst, dryRun, expectPlan, maxWorkers, stopOnError }: RunFlags): unknown => {
  const chosen = {
    ...(mode !== undefined && { mode }),
    ...(validateFirst !== undefined && { validate_first: validateFirst }),
    ...(dryRun !== undefined && { dry_run: dryRun }),
    ...(expectPlan !== undefined && { expect_plan: expectPlan }),
    ...(maxWorkers !== undefined && { max_workers: maxWorkers }),
    ...(stopOnError !== undefined && { stop_on_error: stopOnError }),
  };
  if (Object.keys(chosen).length === 0 || typeof list !== 'object' || list === null) return list;
  if (Array.isArray(list)) return { actions: list, ...chosen };
  if (Object.hasOwn(list, 'nodes')) refuseForGraph(chosen);
  return { ...list, ...chosen };
};

const refuseForGraph = (chosen: object) => {
  const wrong = ['mode', 'stop_on_error'].find((key) => Object.hasOwn(chosen, key));
  if (wrong === undefined) return;
  const remedy =
    wrong === 'mode' ? 'its order follows from depends_on, so leave the option out' : 'write "fail_fast" into the graph instead';
  throw usageFault(`--${wrong.replaceAll('_', '-')} is for lists, and this file holds a graph: ${remedy}.`, 'factotum run --help');
};

/** The options to run a plan with: those of its dry run, but for real. */
const wordsOf = ({ mode, validateFirst, dryRun, maxWorkers, stopOnError, history, config }: RunFlags, hash: string): string[] => [
  ...(mode === undefined ? [] : ['--mode', mode]),
  ...(validateFirst === undefined ? [] : ['--validate-first']),
  ...(maxWorkers === undefined ? [] : ['--max-workers', String(maxWorkers)]),
  ...(stopOnError === undefined ? [] : ['--stop-on-error']),
  ...(history ? [] : ['--no-history']),
  ...(config === undefined ? [] : ['--config', config]),
  // Without the option it was the list itself that asked for a dry run.
  ...(dryRun === undefined ? ['--no-dry-run'] : []),
  '--expect-plan',
  hash,
];
