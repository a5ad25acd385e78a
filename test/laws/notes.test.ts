import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Kinds of notes in the source: what stands before a message in something that is noted. */
const KIND = /(?:note\(\{\s*|Note = \{ |return \{ )kind: '([a-z_]+)',\s*message/g;

test('every kind of note is documented, and none that is not there', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  );
  const kinds = files.flatMap((file) => [...readFileSync(join('src', file), 'utf8').matchAll(KIND)].map(([, kind = '']) => kind));
  const page = readFileSync('docs/explanation/lists-and-results.md', 'utf8');
  const table = page.slice(page.indexOf('## Notes'), page.indexOf('## Stopping'));
  const documented = [...table.matchAll(/^\| `([a-z_]+)` \|/gm)].map(([, kind = '']) => kind);
  const ofFaults = ['foreign', 'system']; // messages between threads
  expect([...new Set(kinds)].filter((kind) => !ofFaults.includes(kind)).sort()).toEqual(documented.sort());
});
