import { didYouMean, nearest } from '../../lib/text/nearest.ts';
import { configJsonSchema, type KeySchema } from './json-schema.ts';
import type { KeyPath } from './key-places.ts';
import type { Issue } from './parse.ts';
import { isTable, keyName, valueAt } from './tree.ts';

/** Something that is wrong with a key: what and the remedy, not yet where. */
export interface Fault {
  readonly path: KeyPath;
  readonly words: string;
}

/** Says in the words of the house what the schema found; an unknown key gets the name that was meant. */
export const explain = (issues: readonly Issue[], tree: unknown): Fault[] => {
  const schema = configJsonSchema();
  /** Misspelt keys are told as such, not as missing too. */
  const meant = new Set<string>();
  const unknown: Fault[] = [];
  for (const issue of issues) {
    if (issue.code !== 'unrecognized_keys') continue;
    const table = pathOf(issue);
    const names = Object.keys(schemaAt(schema, tree, table)?.properties ?? {});
    for (const key of issue.keys) {
      unknown.push({ path: [...table, key], words: unknownKey([...table, key], names) });
      meant.add(keyName([...table, nearest(key, names) ?? '']));
    }
  }
  const wrong = issues.flatMap((issue): Fault[] => {
    if (issue.code === 'unrecognized_keys') return [];
    const path = pathOf(issue);
    const value = valueAt(tree, path);
    if (value === undefined && meant.has(keyName(path))) return [];
    return [{ path, words: wordsFor(issue, path, { value, type: schemaAt(schema, tree, path)?.type }) }];
  });
  return [...unknown, ...wrong];
};

const pathOf = ({ path }: Issue): KeyPath => path.map((step) => (typeof step === 'number' ? step : String(step)));

const unknownKey = (path: KeyPath, names: readonly string[]): string => {
  const written = String(path.at(-1));
  const what = path.length === 1 ? `there is no section [${written}]` : `there is no key ${keyName(path)}`;
  return `${what}${didYouMean(written, names) || '; `factotum config schema` shows what there is.'}`;
};

/** What was written for a key, and the type it should have. */
interface Given {
  readonly value: unknown;
  readonly type: string | undefined;
}

const wordsFor = (issue: Exclude<Issue, { code: 'unrecognized_keys' }>, path: KeyPath, { value, type = '' }: Given): string => {
  const key = keyName(path);
  if (value === undefined && issue.code !== 'custom') return `${key} is missing; set it.`;
  switch (issue.code) {
    case 'invalid_type':
      return `${key} must be ${KINDS[type] ?? issue.expected}, not ${kindOf(value)}.`;
    case 'invalid_value':
      return oneOf(key, issue.values.map(String), value);
    case 'invalid_union':
      return 'options' in issue && issue.options !== undefined ? oneOf(key, issue.options.map(String), value) : `${key}: ${issue.message}`;
    case 'too_small':
      if (issue.origin === 'string' || issue.origin === 'array') return `${key} must not be empty; write something or remove it.`;
      return `${key} must be ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}.`;
    case 'too_big':
      return `${key} must be at most ${issue.maximum}.`;
    case 'invalid_key':
      return `${key} is not a name. ${issue.issues[0]?.message ?? ''}`;
    default:
      return `${key}: ${issue.message}`;
  }
};

const oneOf = (key: string, choices: readonly string[], value: unknown): string =>
  `${key} must be one of ${choices.join(', ')}${typeof value === 'string' ? didYouMean(value, choices) || '.' : `, not ${kindOf(value)}.`}`;

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text in quotes',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list in [ ]',
  object: 'a table',
};

const kindOf = (value: unknown): string => {
  if (Array.isArray(value)) return 'a list';
  if (Number.isFinite(value)) return 'a number';
  return isTable(value) ? 'a table' : typeof value === 'string' ? 'a text' : String(value);
};

/** The schema of the table at a path; among alternatives the one whose `type` the table names. */
const schemaAt = (schema: KeySchema, tree: unknown, path: KeyPath): KeySchema | undefined => {
  let here: KeySchema | undefined = schema;
  for (let length = 0; here !== undefined; length += 1) {
    const table = valueAt(tree, path.slice(0, length));
    const type = isTable(table) ? table.type : undefined;
    here = here.oneOf?.find(({ properties }) => properties?.type?.const === type) ?? here;
    const step = path[length];
    if (step === undefined) return here;
    here = here.items ?? here.properties?.[step] ?? (here.additionalProperties || undefined);
  }
  return undefined;
};
