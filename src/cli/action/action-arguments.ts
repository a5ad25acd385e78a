import { type Command, Option } from 'commander';
import { json } from '../../core/args.ts';
import type { Ready } from '../../core/ready.ts';
import { usageFault } from '../faults.ts';
import { kindOfArg } from './action-kind.ts';
import { type ActionCall, argOf, isRequired, optionOf } from './action-parser.ts';
import { type NamedArg, type ReadInput, readValue } from './action-values.ts';

/** `--file_path x`, `--flag=false` and `--no_flag` in the forms that the parser knows. */
export const normalise = (words: readonly string[], { keys, args }: Ready): string[] => {
  const kinds = new Map(keys.map((key, at) => [optionOf(key), args[at] && kindOfArg(args[at])]));
  const end = words.indexOf('--');
  return words.map((word, at) => {
    if (!word.startsWith('--') || (end !== -1 && at >= end)) return word;
    const [written = '', ...rest] = word.split('=');
    const option = written.replaceAll('_', '-');
    const kind = kinds.get(option.replace('--no-', '--')) ?? kinds.get(option);
    if (kind === undefined) return word;
    if (rest.length === 0) return option;
    const value = rest.join('=');
    if (kind !== 'flag') return `${option}=${value}`;
    if (value !== 'true' && value !== 'false') throw usageFault(`${option} must be true or false, not ${JSON.stringify(value)}.`);
    return value === 'true' ? option : option.replace('--', '--no-');
  });
};

/** The arguments that a parsed command line gives an action; throws `ArgparseException` where one is missing or wrong. */
export const argumentsOf = async (
  call: ActionCall,
  parser: Command,
  readInput: ReadInput,
): Promise<Record<string, unknown> | readonly unknown[]> => {
  const { ready, preset } = call;
  if (ready.plain !== undefined) return valuesOf(parser.args, readInput);
  const flags: Record<string, boolean> = {};
  const words = new Map<string, readonly string[]>();
  for (const key of ready.keys) {
    const value: unknown = parser.getOptionValue(attributeOf(key));
    if (typeof value === 'boolean') flags[key] = value;
    else if (Array.isArray(value)) words.set(key, value);
  }
  const free = call.positional.filter((key) => !words.has(key) && !Object.hasOwn(flags, key));
  for (const [key, own] of share(parser.args, free, call)) words.set(key, own);
  const args: Record<string, unknown> = { ...preset, ...flags };
  for (const [key, own] of words) args[key] = await readValue(named(ready, key), own, readInput);
  const missing = ready.keys.find((key) => !Object.hasOwn(args, key) && isRequired(key, call));
  if (missing === undefined) return args;
  throw usageFault(`${ready.about.name} needs ${optionOf(missing)}: ${argOf(ready, missing).description}`, `${parser.name()} --help`);
};

/** A plain function says nothing of its arguments: it gets values in order, each JSON where it is JSON. */
const valuesOf = async (words: readonly string[], readInput: ReadInput): Promise<readonly unknown[]> => {
  const values: unknown[] = [];
  for (const word of words) values.push(await readValue(ANY_VALUE, [word], readInput));
  return values;
};

const ANY_VALUE: NamedArg = { option: 'VALUE', arg: json('A value.') };

/** Under which name a parser keeps what was given for an argument. */
export const attributeOf = (key: string): string => new Option(optionOf(key)).attributeName();

const named = (ready: Ready, key: string): NamedArg => ({ option: optionOf(key), arg: argOf(ready, key) });

/** Shares words without an option out among the arguments that have none, in order; a list takes all that no later one must have. */
const share = (words: readonly string[], free: readonly string[], call: ActionCall): Map<string, readonly string[]> => {
  const shares = new Map<string, readonly string[]>();
  let rest = words;
  for (const [at, key] of free.entries()) {
    if (rest.length === 0) return shares;
    const needed = free.slice(at + 1).filter((each) => isRequired(each, call)).length;
    const take = kindOfArg(argOf(call.ready, key)) === 'list' ? Math.max(1, rest.length - needed) : 1;
    shares.set(key, rest.slice(0, take));
    rest = rest.slice(take);
  }
  if (rest.length > 0) throw usageFault(`There is one value too many: ${JSON.stringify(rest[0])}.`, `factotum ${call.name} --help`);
  return shares;
};
