import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { paths } from './paths.ts';
import { problemResponses } from './problems.ts';

const page = readFileSync('docs/reference/http.md', 'utf8');
const firstCells = (pattern: RegExp): string[] => [...page.matchAll(pattern)].map(([, cell = '']) => cell).sort();

/** `POST /actions yes`: a route and whether it needs a secret where one is set. */
const described = Object.entries(paths).flatMap(([path, operations]) =>
  Object.entries(operations as Record<string, { readonly security?: readonly unknown[] }>).map(
    ([method, { security }]) => `${method.toUpperCase()} ${path} ${security === undefined ? 'yes' : 'no'}`,
  ),
);

test('the page has the routes of the document and no other', () => {
  const written = [...page.matchAll(/^\| `([A-Z]+ \/[^`]+)` \| (yes|no) \|/gm)].map(([, route, secret]) => `${route} ${secret}`);
  expect(written.sort()).toEqual(described.sort());
});

test('the page has the refusals of the document and no other', () => {
  const statuses = Object.keys(problemResponses).map((name) => name.replace('problem_', ''));
  expect(firstCells(/^\| (\d{3}) \|/gm)).toEqual(statuses.sort());
});
