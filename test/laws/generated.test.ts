import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as errors from '../../src/core/errors.ts';

test('everything derived from the definitions is fresh', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/run-ts.mjs', 'scripts/generate/main.ts', '--check'], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(status).toBe(0);
});

test('the page of errors has every type that a caller can meet, and no other', () => {
  const listed = [...readFileSync('docs/reference/errors.md', 'utf8').matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  const inner = ['FileAutomationException', 'RecordedException']; // the abstract root, and the one that repeats another's type
  expect(listed.sort()).toEqual(
    Object.keys(errors)
      .filter((name) => !inner.includes(name))
      .sort(),
  );
});
