import { type Command, Option } from 'commander';
import type { Arg } from '../../core/args.ts';
import type { Ready } from '../../core/ready.ts';
import type { Cli } from '../cli.ts';
import { shellWords } from '../completion/shell-words.ts';
import { createParser, examplesBlock } from '../parser.ts';
import { choicesOf, kindOfArg } from './action-kind.ts';

/** How an action is called on the command line. */
export interface ActionCall {
  /** The words before its arguments: `exec FA_copy_file`, `copy`. */
  readonly name: string;
  readonly ready: Ready;
  /** Arguments that may be given without their option, in this order. */
  readonly positional: readonly string[];
  /** Those of them that the help shows. */
  readonly shown: readonly string[];
  readonly preset: Readonly<Record<string, unknown>>;
  /** The command has a name of its own and no `exec` before it. */
  readonly isShort?: boolean;
  /** The action that stands in for it where a word is a location. */
  readonly forLocations?: string | undefined;
}

/** The call behind `factotum exec NAME`: every argument may be given in order. */
export const execCallOf = (ready: Ready): ActionCall => {
  const { about, keys } = ready;
  return { name: `exec ${about.name}`, ready, positional: keys, shown: keys.filter((key) => !argOf(ready, key).optional), preset: {} };
};

/** `--file-path` for `file_path`, `--else` for `else_`. */
export const optionOf = (key: string): string => `--${key.replace(/_+$/, '').replaceAll('_', '-')}`;

/** A parser whose options are the arguments of an action. */
export const actionParser = (call: ActionCall, cli: Cli): Command => {
  const { name, ready } = call;
  const { action, keys } = ready;
  const parser = createParser(name, cli);
  const flags = new Set<string | undefined>();
  for (const key of keys) {
    const arg = argOf(ready, key);
    if (kindOfArg(arg) === 'flag') flags.add(optionOf(key));
    for (const option of optionsFor(key, arg, call)) parser.addOption(option.helpGroup('Arguments:'));
  }
  return parser
    .description(
      action.summary +
        (action.deprecated === undefined ? '' : ` Deprecated since ${action.deprecated.since}: use ${action.deprecated.use}.`) +
        (action.question === undefined ? '' : ` Exits with 1 when ${action.question.no}.`),
    )
    .usage([...(ready.plain === undefined ? [] : ['[VALUE…]']), ...call.shown.map((key) => usageWord(key, call)), '[options]'].join(' '))
    .argument('[values...]')
    .configureHelp({
      ...parser.configureHelp(),
      visibleArguments: () => [],
      optionTerm: ({ long, flags: written }) => (flags.has(long) ? written.replace('--', '--[no-]') : written),
    })
    .addHelpText('after', () => examplesText(call));
};

/** The definition of an argument. */
export const argOf = ({ args, places }: Ready, key: string): Arg => {
  const arg = args[places.get(key) ?? -1];
  if (arg === undefined) throw new Error(`no argument is called ${key}`);
  return arg;
};

const usageWord = (key: string, call: ActionCall): string => {
  const word = optionOf(key).slice(2).toUpperCase() + (kindOfArg(argOf(call.ready, key)) === 'list' ? '…' : '');
  return isRequired(key, call) ? word : `[${word}]`;
};

/** Whether an argument has to be given. */
export const isRequired = (key: string, { ready, preset }: ActionCall): boolean =>
  !argOf(ready, key).optional && !Object.hasOwn(preset, key);

/** A flag has two: `--copy-metadata` and `--no-copy-metadata`. */
const optionsFor = (key: string, arg: Arg, call: ActionCall): Option[] => {
  const name = optionOf(key);
  const choices = choicesOf(arg.schema) ?? [];
  const about = [arg.description, ...(choices.length === 0 ? [] : [`One of ${choices.join(', ')}.`]), ...noteOn(key, arg, call)].join(' ');
  if (kindOfArg(arg) === 'flag') return [new Option(name, about), new Option(`--no-${name.slice(2)}`).default(undefined).hideHelp()];
  const option = new Option(`${name} <${valueWord(arg)}>`, about).argParser((word: string, before: readonly string[] | undefined) => [
    ...(before ?? []),
    word,
  ]);
  option.argChoices = [...choices]; // for completion; `readValue` checks
  return [option];
};

const noteOn = (key: string, arg: Arg, call: ActionCall): string[] => {
  const fallback = call.preset[key] ?? arg.fallback;
  const notes = [
    ...(kindOfArg(arg) === 'list' ? ['may be repeated'] : []),
    ...(isRequired(key, call) ? ['required'] : []),
    ...(fallback === null || fallback === undefined || fallback === ''
      ? []
      : [`default: ${typeof fallback === 'string' ? fallback : JSON.stringify(fallback)}`]),
  ];
  return notes.length === 0 ? [] : [`(${notes.join('; ')})`];
};

const valueWord = (arg: Arg): string => {
  if (choicesOf(arg.schema) !== undefined) return 'word';
  const kind = kindOfArg(arg);
  return kind === 'list' ? 'item' : kind === 'any' ? 'value' : kind;
};

const MOST_EXAMPLES = 3;

const examplesText = (call: ActionCall): string => {
  const lines = call.ready.action.examples
    .slice(0, MOST_EXAMPLES)
    .map(({ args, about }) => [exampleLine(call, args), about ?? ''] as const);
  return lines.length === 0 ? '' : examplesBlock(lines);
};

/** Required arguments in order, the others by name. */
const exampleLine = ({ name, ready, shown }: ActionCall, args: Readonly<Record<string, unknown>>): string => {
  const firstNamed = shown.findIndex((key) => typeof args[key] !== 'string' || args[key].startsWith('-'));
  const bare = firstNamed === -1 ? shown : shown.slice(0, firstNamed);
  const named = Object.entries(args).flatMap(([key, value]) => (bare.includes(key) ? [] : optionWords(key, value, argOf(ready, key))));
  return shellWords(['factotum', ...name.split(' '), ...bare.map((key) => String(args[key])), ...named]);
};

const optionWords = (key: string, value: unknown, arg: Arg): string[] => {
  const option = optionOf(key);
  if (typeof value === 'boolean' && kindOfArg(arg) === 'flag') return [value ? option : `--no-${option.slice(2)}`];
  if (Array.isArray(value) && kindOfArg(arg) === 'list' && value.length > 0 && value.every((item) => typeof item === 'string'))
    return value.flatMap((item) => [option, item]);
  return [option, typeof value === 'string' ? value : JSON.stringify(value)];
};
