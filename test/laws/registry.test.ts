import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Ready } from '../../src/core/ready.ts';
import { loadActions } from './all-actions.ts';

const textOf = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '');

/** What a family has: tests, sources and its page. */
const familyOf = (family: string) => {
  const folder = join('src/actions', family);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file));
  return {
    tests: files.filter((file) => file.endsWith('.test.ts')),
    sources: files.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts')),
    page: textOf(`docs/reference/actions/${family}.md`),
  };
};

/** A test stands beside the file of the action, is that of the whole family, or names the action. */
const isTested = (name: string, family: string, { tests, sources }: ReturnType<typeof familyOf>): boolean => {
  const source = sources.find((file) => textOf(file).includes(`name: '${name}'`));
  const neighbour = source?.replace(/\.ts$/, '.test.ts');
  const ofFamily = ['index.test.ts', `${family}.test.ts`].map((file) => join('src/actions', family, file));
  return tests.some((file) => file === neighbour || ofFamily.includes(file) || new RegExp(`\\b${name}\\b`).test(textOf(file)));
};

/** Everything that a definition still lacks, in words. */
const faultsOf = ({ about, action, keys, args }: Ready): string[] => {
  const family = familyOf(about.family);
  return [
    ...(/^[A-Z][^\n]*[^.]\.$/.test(action.summary) ? [] : ['the summary must be one sentence: a capital letter first, a period last']),
    ...(/\.\s+[A-Z]/.test(action.summary) ? ['the summary is more than one sentence'] : []),
    ...args.flatMap(({ description }, at) =>
      /^\S.*\.$/s.test(description) ? [] : [`the description of ${keys[at]} must end with a period`],
    ),
    ...(action.location?.from ?? [])
      .filter((key) => !keys.includes(key))
      .map((key) => `its location is made of ${key}, which it does not take`),
    ...(action.examples.length > 0 ? [] : ['it has no example']),
    ...(isTested(about.name, about.family, family) ? [] : [`no test in src/actions/${about.family} belongs to it`]),
    ...(family.page.includes(`\n## ${about.name}\n`) ? [] : ['it has no reference page; run npm run generate']),
  ];
};

const all = await loadActions();

describe('every action is complete', () => {
  for (const ready of all) test(ready.about.name, () => expect(faultsOf(ready)).toEqual([]));
});

test('every action keeps the key order of definitions', () => {
  const order = [
    'name',
    'aliases',
    'deprecated',
    'summary',
    'args',
    'returns',
    'question',
    'idempotent',
    'pure',
    'tellsSteps',
    'onlyLooks',
    'changesRuns',
    'reserved',
    'location',
    'reachesOut',
    'onlyNow',
    'by',
    'examples',
    'plan',
    'run',
  ];
  const unordered = all.filter(({ action }) => {
    const keys = Object.keys(action);
    return keys.join() !== order.filter((key) => keys.includes(key)).join();
  });
  expect(unordered.map(({ about }) => about.name)).toEqual([]);
});
