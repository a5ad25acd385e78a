import { Command, CommanderError, Option } from 'commander';
import { nearest } from '../lib/text/nearest.ts';
import type { Cli } from './cli.ts';
import { usageFault } from './faults.ts';

/** Ends a command whose help was asked for. */
export class HelpShown extends Error {}

/** A parser that writes where the command line writes and throws instead of exiting. */
export const createParser = (name: string, { out }: Cli): Command => {
  const { bold, cyan } = out.colors;
  return new Command(name === '' ? 'factotum' : `factotum ${name}`)
    .exitOverride()
    .configureOutput({ writeOut: out.write, outputError: () => {}, getOutHasColors: () => true })
    .configureHelp({
      styleTitle: bold,
      styleOptionTerm: cyan,
      styleArgumentTerm: cyan,
      optionDescription: onlyDescription,
      argumentDescription: onlyDescription,
    })
    .allowExcessArguments(false)
    .showSuggestionAfterError(false)
    .helpOption('-h, --help', 'Show this help.');
};

/** Commander would add choices and defaults in its own words. */
const onlyDescription = ({ description }: { readonly description: string }): string => description;

/** An option that takes one of a few words. */
export const choiceOption = (flags: string, about: string, choices: readonly string[]): Option =>
  new Option(flags, `${about} One of ${choices.join(', ')}.`).choices(choices);

/** Adds an option and what follows from it, unless the parser has one of that name: an action's own arguments come first. */
export const addOption = (parser: Command, option: Option, onGiven?: (value: string) => void): void => {
  if (parser.options.some(({ long }) => long === option.long)) return;
  parser.addOption(option);
  if (onGiven !== undefined) parser.on(`option:${option.name()}`, onGiven);
};

/** Adds what all commands have, last: it is not what a command is about. */
export const addColorOption = (parser: Command, { out, err }: Cli): void =>
  addOption(parser, choiceOption('--color <when>', 'Colour the output.', ['always', 'never', 'auto']), (choice) => {
    out.setColor(choice);
    err.setColor(choice);
  });

/** Adds `--json`; the text says what of. */
export const addJsonOption = (parser: Command, { wants }: Cli, about: string): void =>
  addOption(parser, new Option('--json', about), () => {
    wants.json = true;
  });

/** Adds `--quiet`; the text says what is left. */
export const addQuietOption = (parser: Command, { wants }: Cli, about: string): void =>
  addOption(parser, new Option('-q, --quiet', about), () => {
    wants.quiet = true;
  });

/** A command and what it is an example of. */
type HelpExample = readonly [command: string, about: string];

/** Adds examples at the end of a help text. */
export const addExamples = (parser: Command, examples: readonly HelpExample[]): void =>
  void parser.addHelpText('after', examplesBlock(examples));

/** Examples as a help text shows them. */
export const examplesBlock = (examples: readonly HelpExample[]): string => {
  const width = Math.max(...examples.map(([command]) => command.length));
  return ['', 'Examples:', ...examples.map(([command, about]) => `  ${command.padEnd(width)}  ${about}`.trimEnd())].join('\n');
};

/** Reads a command line; throws `HelpShown`, or an `ArgparseException` that says what is wrong and where to read more. */
export const parse = (parser: Command, words: readonly string[]): void => {
  try {
    parser.parse(words, { from: 'user' });
  } catch (fault) {
    if (!(fault instanceof CommanderError)) throw fault;
    if (fault.exitCode === 0) throw new HelpShown();
    throw usageFault(sentence(fault.message, parser), `${parser.name()} --help`);
  }
};

/** The messages of Commander in the words of the house: `error: unknown option '--jsno'`, `error: missing required argument 'file'`. */
const sentence = (message: string, parser: Command): string => {
  const written = message.replace(/^error: /, '');
  const [, unknown] = /^unknown option '(.*)'$/.exec(written) ?? [];
  if (unknown !== undefined) return `There is no option ${unknown}${likeOption(unknown, parser)}`;
  const [, missing] = /^missing required argument '(.*)'$/.exec(written) ?? [];
  if (missing !== undefined) return `${missing.toUpperCase()} is missing.`;
  const [, option, value, reason] = /^option '(?:-\w, )?(--[\w-]+)[^']*' argument '(.*)' is invalid\. (.*)$/.exec(written) ?? [];
  if (option !== undefined) return `${option} cannot be ${JSON.stringify(value)}. ${reason}`;
  return `${written.charAt(0).toUpperCase()}${written.slice(1).replace(/\.$/, '')}.`;
};

/** A misspelt option, or the misspelt beginning of one. */
const likeOption = (written: string, { options, registeredArguments }: Command): string => {
  const known = options.flatMap(({ long }) => long ?? []);
  const guess = nearest(written, known) ?? known.find((option) => nearest(written, [option.slice(0, written.length)]) !== undefined);
  if (guess !== undefined) return `; did you mean ${guess}?`;
  return registeredArguments.some(({ variadic }) => variadic) ? '; write -- before values that begin with a dash.' : '.';
};
