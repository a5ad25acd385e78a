import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundle, type Script } from '../e2e/files/bundle.ts';
import { FUZZ_SECONDS, FUZZED } from '../support/trials/declared.ts';
import { runChild } from './run-child.ts';
import { TARGETS } from './targets.ts';

const NAMES = Object.keys(TARGETS);
const FOUND = new URL('./found/', import.meta.url).pathname;
const { FACTOTUM_FUZZ, FACTOTUM_FUZZ_SECONDS, FACTOTUM_SEED } = process.env;
const DAY_MS = 86_400_000;

/** Each day another target has its turn, unless somebody asks for one, or for all. */
const turn = FACTOTUM_FUZZ === undefined ? [NAMES[Math.floor(Date.now() / DAY_MS) % NAMES.length] ?? ''] : namesOf(FACTOTUM_FUZZ);
const seconds = Number(FACTOTUM_FUZZ_SECONDS ?? FUZZ_SECONDS.usual);
const seed = Number(FACTOTUM_SEED ?? Date.now() % 0x7fff_ffff);

function namesOf(asked: string): string[] {
  return asked === 'all' ? NAMES : asked.split(',');
}

let script: Script;
beforeAll(async () => {
  script = await bundle(new URL('./child.ts', import.meta.url));
});
afterAll(() => script[Symbol.dispose]());

const foundFor = (name: string): string[] => {
  if (!readdirSync(FOUND).includes(name)) return [];
  return readdirSync(join(FOUND, name)).map((file) => join(FOUND, name, file));
};

test('the targets are those that the documentation names', () => {
  expect(NAMES.toSorted()).toEqual(Object.keys(FUZZED).sort());
});

test.each(NAMES.filter((name) => foundFor(name).length > 0))('%s: what was found before', async (name) => {
  expect(await runChild(script.path, name, ['replay', ...foundFor(name)])).toBe(foundFor(name).length);
});

test.each(NAMES.filter((name) => !turn.includes(name)))('%s: its examples', async (name) => {
  expect(await runChild(script.path, name, ['fuzz', '0', '0'])).toBeGreaterThan(0);
});

test.each(turn)(`%s: ${seconds} s of changed examples (seed ${seed})`, { timeout: (seconds + 120) * 1000 }, async (name) => {
  expect(await runChild(script.path, name, ['fuzz', String(seed), String(seconds)])).toBeGreaterThan(0);
});
