import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileRegex } from '../../regex/compile.ts';
import { isSteadyText, requiredText, steadyPart } from './required-text.ts';

test.each([
  ['foo', 'foo'],
  ['foo.*barbaz', 'barbaz'],
  ['^import .* from', 'import '],
  ['colou?r', 'colo'],
  ['ab+c', 'ab'],
  ['ab*c', 'a'],
  ['a{2}bcd', 'bcd'],
  ['x{foo}', 'foo}'],
  ['(foo|bar)baz', 'baz'],
  ['[(|]foo', 'foo'],
  ['[]x|]foo', 'foo'],
  ['[[:alpha:]|]foo', 'foo'],
  ['foo\\.bar', 'foo.bar'],
  ['\\bword\\b', 'word'],
  ['\\d+ms', 'ms'],
  ['(a(b)c)d', 'd'],
  ['foo|bar', undefined],
  ['.*', undefined],
  ['(?i:foo)bar', 'bar'],
  ['foo(?i)bar', undefined],
  ['\\x41bcd', undefined],
  ['\\pLfoo', undefined],
  ['foo\\Q|\\E', undefined],
  ['😀+x', '😀'],
  ['caf\uFFFDe', 'caf'],
])('every match of %s holds %j', (pattern, text) => {
  expect(requiredText(pattern, { ignoreCase: false })?.text).toBe(text);
});

test.each([
  ['(?i)FooBar', 'foobar'],
  ['(?is)Task', 'ta'],
  ['(?i)größe', 'gr'],
])('every match of %s holds %j in any case', (pattern, text) => {
  expect(requiredText(pattern, { ignoreCase: false })).toEqual({ text, ignoreCase: true });
});

test('plain texts know which of their parts keep their bytes', () => {
  expect([isSteadyText('Hello, world'), isSteadyText('Kiss'), isSteadyText('é')]).toEqual([true, false, false]);
  expect([steadyPart('Book of Salt'), steadyPart('ſkS'), steadyPart('Übung')]).toEqual([' of ', undefined, 'bung']);
});

const patterns = fc.letrec<{ pattern: string; atom: string }>((tie) => ({
  atom: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(
      'a',
      'b',
      'k',
      'S',
      'ab',
      'é',
      '.',
      '\\w',
      '\\S',
      '[ab]',
      '[^a]',
      '[]a]',
      '\\b',
      '^',
      '$',
      '\\.',
      '\\|',
      '[|)]',
      '{',
      '\\x61',
      '(?i)',
      '\\Qa|b\\E',
    ),
    tie('pattern').map((inner) => `(${inner})`),
    tie('pattern').map((inner) => `(?i:${inner})`),
  ),
  pattern: fc.oneof(
    { depthSize: 'small' },
    tie('atom'),
    fc.tuple(tie('atom'), fc.constantFrom('*', '+', '?', '+?', '{2}', '{0,2}')).map(([atom, operator]) => atom + operator),
    fc.tuple(tie('pattern'), tie('pattern')).map(([left, right]) => left + right),
    fc.tuple(tie('pattern'), tie('pattern')).map(([left, right]) => `${left}|${right}`),
  ),
})).pattern;
const lines = fc
  .array(fc.constantFrom('a', 'b', 'ab', 'A', 'k', '\u212a', 's', 'ſ', 'é', '.', '|', '{', ')', ']'), { maxLength: 10 })
  .map((parts) => parts.join(''));

test('no line that matches is without the text', async () => {
  await fc.assert(
    fc.asyncProperty(fc.boolean(), patterns, fc.array(lines, { minLength: 1, maxLength: 5 }), async (ignoreCase, pattern, samples) => {
      const required = requiredText(pattern, { ignoreCase });
      if (required === undefined) return;
      const regex = await compileRegex(pattern, { ignoreCase }).catch(() => undefined);
      const holds = (line: string) =>
        (required.ignoreCase ? line.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()) : line).includes(required.text);
      expect(samples.filter((line) => regex?.test(line) && !holds(line))).toEqual([]);
    }),
    { numRuns: 2_000 },
  );
});
