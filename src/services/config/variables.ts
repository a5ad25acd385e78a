import type { ConfigTree } from './tree.ts';

/** An environment variable that sets a key. */
export interface Variable {
  readonly name: string;
  readonly section: string;
  readonly key: string;
  /** How its text is read. */
  readonly kind: 'string' | 'integer' | 'number' | 'boolean' | 'list';
}

type Env = Readonly<Record<string, string | undefined>>;

/** The variables that are set; an empty one counts as not set, so that it never becomes an empty secret. */
export const variablesIn = (env: Env, known: readonly Variable[]): readonly Variable[] =>
  known.filter(({ name }) => (env[name] ?? '') !== '');

/** What the variables say, as a file would. A text that does not fit its kind stays as it is: checking the key will tell. */
export const readVariables = (env: Env, set: readonly Variable[]): ConfigTree => {
  const tree: { [section: string]: { [key: string]: unknown } } = {};
  for (const { name, section, key, kind } of set) {
    tree[section] ??= {};
    tree[section][key] = READERS[kind](env[name] ?? '');
  }
  return tree;
};

const number = (text: string): unknown => (/^[-+]?\d+(?:\.\d+)?$/.test(text.trim()) ? Number(text) : text);
const WORDS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

const READERS: Readonly<Record<Variable['kind'], (text: string) => unknown>> = {
  string: (text) => text,
  integer: number,
  number,
  boolean: (text) => WORDS.get(text.trim().toLowerCase()) ?? text,
  list: (text) =>
    text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
};
