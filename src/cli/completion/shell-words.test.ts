import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shellWords } from './shell-words.ts';

test('plain words stay plain', () => {
  expect(shellWords(['factotum', 'run', '--mode=serial', 'a/b.json'])).toBe('factotum run --mode=serial a/b.json');
});

test.each([
  ['a b', "'a b'"],
  ["it's", "'it'\\''s'"],
  ['', "''"],
  ['line\nend', "$'line\\nend'"],
  ["both'\n", "$'both\\'\\n'"],
])('%j is quoted as %s', (word, quoted) => {
  expect(shellWords([word])).toBe(quoted);
});

test('bash reads back whatever was quoted', () => {
  const word = fc.string({ unit: fc.constantFrom(...'ab \'"\\$`!*?~#&;|<>(){}[]\n\t\u0001\u007fä') });
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), (words) => {
      const { stdout } = spawnSync('bash', ['-c', `printf '%s\\0' ${shellWords(words)}`], { encoding: 'utf8' });
      expect(stdout.split('\0').slice(0, -1)).toEqual(words);
    }),
    { numRuns: 40 },
  );
});
