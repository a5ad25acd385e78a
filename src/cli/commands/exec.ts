import { type Command, Option } from 'commander';
import type { Instance } from '../../app/instance/instance.ts';
import type { Outcome } from '../../core/result.ts';
import { argumentsOf, attributeOf, normalise } from '../action/action-arguments.ts';
import { type ActionCall, actionParser, execCallOf } from '../action/action-parser.ts';
import { actionNameOf, findAction } from '../action/find-action.ts';
import type { Candidate, Cli, CliCommand } from '../cli.ts';
import { actionCandidates, parserCandidates } from '../completion/candidates.ts';
import { shellWords } from '../completion/shell-words.ts';
import { EXIT, exitCodeOf } from '../exit-code.ts';
import { usageFault } from '../faults.ts';
import { historyOption } from '../history-option.ts';
import { type House, withHouse } from '../house.ts';
import { addColorOption, addExamples, addJsonOption, addOption, addQuietOption, createParser, parse } from '../parser.ts';
import { formFor, type ShortForm } from '../short-forms.ts';
import { showRun, showUndoHint } from '../show/show-run.ts';
import { showValue } from '../show/show-value.ts';
import { readStdinOnce } from '../terminal/stdin.ts';

/** How the action is run; set while the command line is read. */
interface Wishes {
  dryRun?: true;
  expectPlan?: string;
  keepsHistory: boolean;
  config?: string;
}

const newWishes = (): Wishes => ({ keepsHistory: true });

/** `factotum exec`: options before the name of the action are ours, those behind it the action's, and ours where it has none of that name. */
export const exec: CliCommand = {
  async run(cli, words) {
    const wishes = newWishes();
    const parser = execParser(cli, wishes);
    parse(parser, words);
    const [action = '', ...rest] = parser.args;
    const work = async (house: House) => perform(cli, house, { call: await execCall(action, house.factotum), words: rest, wishes });
    return withHouse(cli, work, wishes);
  },
  complete: (cli, words) =>
    withHouse(cli, async ({ factotum }) => {
      const at = words.slice(0, -1).findIndex((word) => actionNameOf(word, factotum.registry) !== undefined);
      if (at === -1)
        return parserCandidates(execParser(cli, newWishes()), words) ?? actionCandidates(factotum.registry, words.at(-1) ?? '');
      return completeCall(cli, await execCall(words[at] ?? '', factotum), words.slice(at + 1));
    }),
};

/** An action under its short name. */
export const shortForm = (form: ShortForm): CliCommand => ({
  async run(cli, typed) {
    const { config, words } = takeConfig(typed);
    const wishes: Wishes = { ...newWishes(), ...(config !== undefined && { config }) };
    const work = async (house: House) =>
      perform(cli, house, { call: await shortCall(formFor(form, words), house.factotum), words, wishes });
    return withHouse(cli, work, wishes);
  },
  complete: (cli, words) =>
    withHouse(cli, async ({ factotum }) => completeCall(cli, await shortCall(formFor(form, words), factotum), words)),
});

/** The configuration decides what a short form can do, so that its option is read before all others. */
const takeConfig = (typed: readonly string[]): { readonly config?: string; readonly words: readonly string[] } => {
  const end = typed.indexOf('--');
  const at = typed.findIndex((word, place) => (end === -1 || place < end) && /^--config(?:=|$)/.test(word));
  const word = typed[at];
  if (word === undefined) return { words: typed };
  const [, joined] = /^--config=(.*)$/s.exec(word) ?? [];
  const config = joined ?? typed[at + 1];
  if (config === undefined || config === '') throw usageFault('--config needs the name of a file.', 'factotum exec --help');
  return { config, words: typed.toSpliced(at, joined === undefined ? 2 : 1) };
};

const execParser = (cli: Cli, wishes: Wishes): Command => {
  const parser = createParser('exec', cli);
  parser
    .description('Runs one action and prints its value: a text as it is, everything else as JSON.')
    .usage('[options] ACTION [arguments]')
    .argument('<action>', 'Its name; FA_ may be left out.')
    .argument('[arguments...]', "The action's own options and values; see: factotum exec ACTION --help")
    .passThroughOptions();
  addOption(parser, new Option('--config <file>', 'The configuration file; else the one that is found. Before ACTION.'), (file) => {
    wishes.config = file;
  });
  addOwnOptions(parser, cli, wishes);
  addExamples(parser, [
    ['factotum exec copy_file --help', 'what FA_copy_file takes'],
    ['factotum exec copy_file a.txt b.txt', 'arguments in order'],
    ['factotum exec copy_file --file-path a.txt --target-path b.txt', 'or by name'],
    ['date | factotum exec create_file now.txt --content -', 'a text from standard input'],
    ['factotum exec --dry-run remove_dir_tree old', 'see what it would do'],
  ]);
  return parser;
};

const addOwnOptions = (parser: Command, cli: Cli, wishes: Wishes) => {
  addOption(parser, new Option('--dry-run', 'Only tell what would happen.'), () => {
    wishes.dryRun = true;
  });
  addOption(parser, new Option('--expect-plan <hash>', 'Run only if a dry run would still give this plan.'), (hash) => {
    wishes.expectPlan = hash;
  });
  addOption(parser, historyOption(), () => {
    wishes.keepsHistory = false;
  });
  addJsonOption(parser, cli, 'Print the whole result as JSON.');
  addQuietOption(parser, cli, 'Do not print the value.');
  addColorOption(parser, cli);
};

const execCall = async (word: string, { registry }: Instance): Promise<ActionCall> => execCallOf(await findAction(word, registry));

const shortCall = async (
  { name, action, positional, preset = {}, forLocations }: ShortForm,
  { registry }: Instance,
): Promise<ActionCall> => ({
  name,
  isShort: true,
  forLocations: forLocations?.action,
  ready: await findAction(action, registry),
  positional,
  shown: positional,
  preset,
});

const callParser = (cli: Cli, call: ActionCall, wishes: Wishes): Command => {
  const parser = actionParser(call, cli);
  addOwnOptions(parser, cli, wishes);
  if (call.isShort === true) parser.addOption(new Option('--config <file>', 'The configuration file; else the one that is found.'));
  if (call.forLocations !== undefined)
    parser.addHelpText('after', `With a location such as s3+backup://bucket/key it is: factotum exec ${call.forLocations} --help`);
  return parser;
};

const completeCall = (cli: Cli, call: ActionCall, words: readonly string[]): readonly Candidate[] =>
  parserCandidates(callParser(cli, call, newWishes()), words) ?? [];

/** A call as it was typed: the action, the words behind it, and what was asked of `exec` itself. */
interface TypedCall {
  readonly call: ActionCall;
  readonly words: readonly string[];
  readonly wishes: Wishes;
}

const perform = async (cli: Cli, house: House, { call, words, wishes }: TypedCall): Promise<number> => {
  const parser = callParser(cli, call, wishes);
  parse(parser, normalise(words, call.ready));
  const args = await argumentsOf(call, parser, readStdinOnce());
  const { dryRun, expectPlan, keepsHistory, config } = wishes;
  const request = {
    actions: [[call.ready.about.name, args]],
    ...(dryRun && { dry_run: true }),
    ...(expectPlan !== undefined && { expect_plan: expectPlan }),
  };
  const { out, wants } = cli;
  const isPrinted = !(wants.json || wants.quiet || dryRun === true || out.isTerminal);
  const finished = await house.run(request, { keepsHistory, isPrinted });
  const { result, wasInterrupted } = finished;
  const [outcome] = result.results;
  if (outcome === undefined || dryRun) return showRun(cli, finished, (hash) => planCommand(call, words, { hash, config }));
  const no = finished.answeredNo?.(outcome);
  const isPartial = didLess(outcome, parser.getOptionValue(attributeOf(ON_UNREADABLE)) === undefined);
  if (wants.json) showRun(cli, finished, () => undefined);
  else {
    showValue(cli, outcome, no);
    if (cli.err.isTerminal) showUndoHint(cli, finished); // a program that reads on would only be disturbed
  }
  if (wasInterrupted) return EXIT.interrupted;
  return isPartial || no !== undefined ? EXIT.failed : exitCodeOf(result);
};

const ON_UNREADABLE = 'on_unreadable';

/** Nothing was searched, because the root is missing; what was to go has another kind and stays. */
const WITHOUT_EFFECT: readonly string[] = ['missing', 'left_alone'];

/**
 * What a short form lets pass so that the rest is printed is no success, as it is none for the programs whose names it bears; nor is what
 * an action says in a note because the catalogue wants no failure there.
 */
const didLess = ({ status, notes = [] }: Outcome, countsUnreadable: boolean): boolean =>
  status === 'ok' && notes.some(({ kind }) => WITHOUT_EFFECT.includes(kind) || (countsUnreadable && kind === 'unreadable'));

/** The same words, but for real. */
const planCommand = (
  { name, ready }: ActionCall,
  words: readonly string[],
  { hash, config }: { readonly hash: string; readonly config: string | undefined },
): string => {
  const [command = '', ...action] = name.split(' ');
  const rest = ready.places.has('dry_run') ? words : words.filter((word) => word !== '--dry-run');
  return shellWords([
    'factotum',
    command,
    ...(config === undefined ? [] : ['--config', config]),
    ...action,
    ...rest,
    '--expect-plan',
    hash,
  ]);
};
