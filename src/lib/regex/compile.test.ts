import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cpuMs } from '../../../test/support/cpu-ms.ts';
import { GrepException, TextOpsException } from '../../core/errors.ts';
import { compileRegex } from './compile.ts';
import { eachMatch, type Match } from './match.ts';
import { judge } from './re2-engine.ts';
import { translate } from './translate.ts';

const spans = async (pattern: string, text: string, options = {}) =>
  [...(await compileRegex(pattern, options)).matches(text)].map(({ start, end }) => [start, end]);

describe('what a pattern means', () => {
  const cases: readonly (readonly [pattern: string, text: string, found: readonly string[]])[] = [
    ['[0-9]+', 'a1 b22 c', ['1', '22']],
    ['(?i)straße', 'STRAßE straße', ['STRAßE', 'straße']],
    ['(?i)kiss', 'KISS \u212aiss kiſſ', ['KISS', '\u212aiss', 'kiſſ']],
    ['.', 'a😀é', ['a', '😀', 'é']],
    ['[^x]', 'x😀', ['😀']],
    ['x*', 'abxd', ['', '', 'x', '', '']],
    ['^a', 'a\na', ['a']],
    ['(?m)^a', 'a\na', ['a', 'a']],
    ['a$', 'a\na', ['a']],
    ['(?m)a$', 'a\r\na\n', ['a']],
    ['a.b', 'a\nb a\rb', ['a\rb']],
    ['(?s)a.b', 'a\nb', ['a\nb']],
    ['\\s', 'a\u00a0 ', [' ']],
    ['a\\nb', 'a\nb', ['a\nb']],
    ['[[:alpha:]]+', 'ab1', ['ab']],
    ['\\pL+', 'éa1', ['éa']],
    ['\\bcat\\b', 'cat concat cat\n', ['cat', 'cat']],
    ['a|ab', 'ab', ['a']],
    ['(?:|a)*', 'aa', ['', '', '']],
  ];
  test.each(cases)('%s in %j', async (pattern, text, found) => {
    const regex = await compileRegex(pattern);
    expect([...regex.matches(text)].map(({ groups }) => groups[0])).toEqual(found);
    expect(regex.test(text)).toBe(found.length > 0);
  });

  test('groups are numbered and named', async () => {
    const regex = await compileRegex('(?P<key>\\w+)=(?<value>\\w+)?(x)?');
    const { start, end, groups = [] } = regex.find(' k=v') ?? {};
    expect([start, end, ...groups]).toEqual([1, 4, 'k=v', 'k', 'v', undefined]);
    expect([...regex.groupNames]).toEqual([
      ['key', 1],
      ['value', 2],
    ]);
    expect(regex.groupCount).toBe(3);
  });

  test('it is known whether a match can hold a line end', async () => {
    const crossing = ['a\\nb', '[^x]', '\\s', '(?s).', '\\W'];
    const staying = ['.', '\\w+', '[^x\\n]', '(?m)^a$', '\\S'];
    for (const pattern of crossing) expect([pattern, (await compileRegex(pattern)).mayCrossLines]).toEqual([pattern, true]);
    for (const pattern of staying) expect([pattern, (await compileRegex(pattern)).mayCrossLines]).toEqual([pattern, false]);
  });
});

describe('refusals', () => {
  test.each([
    ['(', 'missing closing )'],
    ['a(?=b)', 'looking ahead or behind'],
    ['(?<!a)b', 'looking ahead or behind'],
    ['(a)\\1', 'a reference back to a group'],
    ['x{5000}', 'invalid repeat count'],
  ])('%s', async (pattern, why) => {
    await expect(compileRegex(pattern)).rejects.toThrow(why);
    await expect(compileRegex(pattern)).rejects.toBeInstanceOf(TextOpsException);
    await expect(compileRegex(pattern, { Refusal: GrepException, argument: 'p' })).rejects.toBeInstanceOf(GrepException);
  });

  test('a pattern of more than 4,000 characters', async () => {
    await expect(compileRegex('a'.repeat(20_000))).rejects.toThrow('longer than 4000 characters');
  });
});

describe('hostile patterns end soon', () => {
  const long = `${'a'.repeat(100_000)}!`;
  test.each(['(a+)+$', '(a|a)+$', '(a|aa)+$', 'a*a*a*b', '(?:a*)*b', '(.*)(.*)(.*)x$', '^(a?){50}a{50}$', 'a*b'])('%s', async (pattern) => {
    const regex = await compileRegex(pattern);
    const started = cpuMs();
    expect(regex.test(long)).toBe(false);
    for (let line = 0; line < 20; line += 1) expect(regex.test(`${'a'.repeat(2_000)}!`)).toBe(false);
    expect(cpuMs() - started).toBeLessThan(4_000);
  });
});

/** Patterns inside and outside of what both engines share. */
const patterns = fc.letrec<{ pattern: string; atom: string }>((tie) => ({
  atom: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(
      'a',
      'b',
      'k',
      'S',
      'é',
      '😀',
      '.',
      '\\d',
      '\\w',
      '\\W',
      '\\s',
      '\\S',
      '[ab]',
      '[^a]',
      '[a-k_]',
      '[^\\W]',
      '\\b',
      '\\B',
      '^',
      '$',
      '\\.',
      '\\n',
      '[\\s😀]',
      '-',
      '\\x61',
    ),
    tie('pattern').map((inner) => `(${inner})`),
    tie('pattern').map((inner) => `(?:${inner})`),
  ),
  pattern: fc.oneof(
    { depthSize: 'small' },
    tie('atom'),
    fc
      .tuple(tie('atom'), fc.constantFrom('*', '+', '?', '*?', '+?', '??', '{2}', '{1,3}', '{0,2}?'))
      .map(([atom, operator]) => atom + operator),
    fc.tuple(tie('pattern'), tie('pattern')).map(([left, right]) => left + right),
    fc.tuple(tie('pattern'), tie('pattern')).map(([left, right]) => `${left}|${right}`),
    fc.constant(''),
  ),
})).pattern;
const texts = fc
  .array(
    fc.constantFrom('a', 'b', 'k', 's', 'K', 'S', '\u212a', 'ſ', 'é', 'É', '😀', ' ', '\n', '\r', '\r\n', '\u2028', '1', '_', '.', '-'),
    { maxLength: 14 },
  )
  .map((parts) => parts.join(''));

const plain = (matches: Iterable<Match>) => Array.from(matches, ({ start, end, groups }) => ({ start, end, groups: [...groups] }));

test('the fast engine gives what RE2 alone gives', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('', '(?i)', '(?m)', '(?s)', '(?ims)'),
      patterns,
      fc.array(texts, { minLength: 1, maxLength: 4 }),
      async (flags, body, samples) => {
        const pattern = flags + body;
        const judged = await judge(pattern, { ignoreCase: false, multiline: false, dotAll: false });
        if ('why' in judged) return;
        const regex = await compileRegex(pattern);
        for (const text of samples) expect(plain(regex.matches(text))).toEqual(plain(eachMatch(judged.find, text, 0, text.length)));
      },
    ),
    { numRuns: 1_500 },
  );
});

test('a text longer than the fast engine takes gives the same matches', async () => {
  const text = `${'ab '.repeat(2_000)}\nab\n${'c'.repeat(5_000)} ab`;
  expect(await spans('\\bab\\b', text)).toHaveLength(2_002);
  expect(await spans('^ab', text)).toEqual([[0, 2]]);
  expect(await spans('ab$', text)).toEqual([[text.length - 2, text.length]]);
  expect(await spans('^ab|ab$', text, { multiline: true })).toHaveLength(4 - 1);
});

describe('what is given to the JavaScript engine', () => {
  /** Asks the engine itself, in a process of its own: with the flag for that, threads cannot be started everywhere. */
  const canRunLinearly = (sources: readonly string[]): boolean[] => {
    const program = `
      const isLinear = (source) => { try { new RegExp(source, 'l'); return true; } catch { return false; } };
      console.log(JSON.stringify(JSON.parse(require('node:fs').readFileSync(0, 'utf8')).map(isLinear)));`;
    const options = { input: JSON.stringify(sources), encoding: 'utf8' } as const;
    return JSON.parse(execFileSync(process.execPath, ['--enable-experimental-regexp-engine', '-e', program], options));
  };
  const sourceOf = (pattern: string) => translate(pattern, { ignoreCase: false, multiline: false, dotAll: false })?.source;

  test('is only what it can run in linear time', () => {
    const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
      pattern: fc.oneof(
        { maxDepth: 6, withCrossShrink: true },
        fc.constantFrom('a', '.', '[a-c]', '\\d', '^', '$', '\\b', '(a)'),
        fc
          .tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '+?', '{2}', '{3,}', '{2,4}', '{0,16}', '{16}', '{17}', '{16,}', '{15,}'))
          .map(([inner, times]) => `(?:${inner})${times}`),
        fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => `(?:${one}|${other})`),
        fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => one + other),
      ),
    }));
    const given = fc.sample(pattern, 2_000).flatMap((each) => sourceOf(each) ?? []);
    const isLinear = canRunLinearly(given);
    expect(given.filter((_, at) => !isLinear[at])).toEqual([]);
    expect(given.filter((source) => /[+*}]/.test(source)).length).toBeGreaterThan(100);
  });

  test.each(['a{16}', '(?:a{4}){4}', '(?:a+){8}', 'a{15,}', '(?:(?:(?:a+)+)+)+', '(?:a{2}|b{16})'])('%s still is', (pattern) => {
    expect(sourceOf(pattern)).toBeDefined();
  });

  test.each(['a{17}', '(?:a{4}){5}', '(?:a+){9}', 'a{16,}', '(?:(?:(?:(?:a+)+)+)+)+', '(?:a{2}|b{16})+'])('%s is not', (pattern) => {
    expect(sourceOf(pattern)).toBeUndefined();
  });

  test('and threads start afterwards as before', async () => {
    await compileRegex('a+');
    const [code] = await once(new Worker('0', { eval: true }), 'exit');
    expect(code).toBe(0);
  });
});
