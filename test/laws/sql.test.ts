import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const STORE = 'src/services/engine';

/** Texts in quotes of any kind, in which a statement may stand. */
const TEXTS = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;
const NUMBERED = /\?\d/;
const NAMED = /(?:=|<|>|\(|,)\s*[:@]\w/;

/**
 * Node 22.13 to 22.19, 23 and 24.0 to 24.6 hand values only to parameters that are a bare question mark; those with a number count as named there, and
 * the statement fails with "column index out of range".
 */
test('statements have bare question marks as parameters, which every version of Node fills', () => {
  const statements = readdirSync(STORE, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) => (readFileSync(join(STORE, file), 'utf8').match(TEXTS) ?? []).map((text) => ({ file, text })))
    .filter(({ text }) => /\b(?:SELECT|INSERT|UPDATE|DELETE|WHERE|VALUES)\b/.test(text));
  expect(statements.length).toBeGreaterThan(50);
  expect(statements.filter(({ text }) => NUMBERED.test(text) || NAMED.test(text))).toEqual([]);
});
