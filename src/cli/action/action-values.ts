import type { Arg } from '../../core/args.ts';
import { faultOf } from '../../core/shapes.ts';
import { readJson } from '../../lib/json/read.ts';
import { didYouMean } from '../../lib/text/nearest.ts';
import { usageFault } from '../faults.ts';
import { choicesOf, kindOfArg } from './action-kind.ts';

/** An argument under the name of its option, which messages use. */
export interface NamedArg {
  readonly option: string;
  readonly arg: Arg;
}

/** Reads standard input; only one argument can have it. */
export type ReadInput = () => Promise<Buffer>;

/** Turns the words given for an argument into its value, and checks it. Throws `ArgparseException`. */
export const readValue = async ({ option, arg }: NamedArg, words: readonly string[], readInput: ReadInput): Promise<unknown> => {
  const value = await convert({ option, arg }, words, readInput);
  if (arg.accepts(value) || hasReference(value)) return value;
  const { at, expected, got } = faultOf(arg, value);
  const guess = typeof value === 'string' ? didYouMean(value, choicesOf(arg.schema) ?? []) : '';
  throw usageFault(`${option}${at} must be ${expected}, not ${got}${guess === '' ? '.' : guess}`);
};

const convert = async (named: NamedArg, words: readonly string[], readInput: ReadInput): Promise<unknown> => {
  const { option, arg } = named;
  const kind = kindOfArg(arg);
  const [word = '', ...more] = words;
  if (kind === 'list') return listOf(named, words, readInput);
  if (more.length > 0) throw usageFault(`${option} is given ${words.length} times; it takes one value.`);
  if (word === 'null' && meansNull(arg)) return null;
  switch (kind) {
    case 'flag':
      return word === 'true' || (word === 'false' ? false : word);
    case 'number':
      return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(word) ? Number(word) : word;
    case 'path':
      return word;
    case 'text':
      return word === '-' ? (await readInput()).toString() : word;
    case 'bytes':
      return word === '-' ? { base64: (await readInput()).toString('base64') } : (jsonIn(word, '{') ?? word);
    case 'json':
      return readJson(word === '-' ? await readInput() : word, { allowBom: true, name: option, excerpt: true });
    case 'any':
      return anyOf(arg, word === '-' ? (await readInput()).toString() : word);
  }
};

/** One list as JSON, or one item a word. */
const listOf = async ({ option, arg }: NamedArg, words: readonly string[], readInput: ReadInput): Promise<unknown> => {
  const [word = ''] = words;
  if (words.length === 1) {
    if (word === 'null' && meansNull(arg)) return null;
    if (word === '-') return readJson(await readInput(), { allowBom: true, name: option, excerpt: true });
    const whole = jsonIn(word, '[');
    if (whole !== undefined) return whole;
  }
  return arg.accepts(words) ? words : words.map((each) => jsonIn(each) ?? each);
};

/** JSON where it is JSON and fits, else the text itself. */
const anyOf = (arg: Arg, word: string): unknown => {
  const value = jsonIn(word);
  return value !== undefined && arg.accepts(value) ? value : word;
};

/** What a word says as JSON, if it does, and begins with `start`. */
const jsonIn = (word: string, start = ''): unknown => {
  if (!word.trimStart().startsWith(start)) return undefined;
  try {
    return readJson(word);
  } catch {
    return undefined;
  }
};

/** Where a text may stand and null is what leaving it out gives, the word is more likely meant as a text. */
const meansNull = (arg: Arg): boolean => arg.accepts(null) && !(arg.fallback === null && arg.accepts('null'));

/** A text with a reference is checked when its value is known. */
const hasReference = (value: unknown): boolean => typeof value === 'string' && value.includes('${');
