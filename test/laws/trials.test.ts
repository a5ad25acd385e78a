import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CORPORA, FUZZ_SECONDS, TRIALS } from '../support/trials/declared.ts';

const tests = ['src', 'test'].flatMap((root) =>
  readdirSync(root, { recursive: true, encoding: 'utf8' }).flatMap((name) => (name.endsWith('.ts') ? [`${root}/${name}`] : [])),
);
const sources = new Map(tests.map((path) => [path, readFileSync(path, 'utf8')]));

test.each(Object.entries(TRIALS))('%s is carried out by the suite that the page names, and by no other', (name, { suite }) => {
  const users = [...sources].flatMap(([path, source]) => (source.includes(`trialOf('${name}'`) ? [path] : []));
  expect(users).toEqual([suite]);
});

test.each(Object.keys(CORPORA))('the inputs of %s are read by a test', (name) => {
  expect([...sources.values()].some((source) => source.includes(`corpus/${name}.json`))).toBe(true);
});

test('every collection of inputs is on the page', () => {
  expect(readdirSync('test/fixtures/corpus').sort()).toEqual(
    Object.keys(CORPORA)
      .map((name) => `${name}.json`)
      .sort(),
  );
});

test('npm run fuzz takes as long as the page says', () => {
  expect(readFileSync('scripts/fuzz.mjs', 'utf8')).toContain(`seconds: { type: 'string', default: '${FUZZ_SECONDS.asked}' }`);
});
