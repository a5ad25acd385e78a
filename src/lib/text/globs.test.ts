import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import corpus from '../../../test/fixtures/corpus/globs.json' with { type: 'json' };
import { cpuMs } from '../../../test/support/cpu-ms.ts';
import { ArgumentException, ValidationException } from '../../core/errors.ts';
import { demandPatterns, readPattern } from './demand-patterns.ts';
import { compileGlob } from './globs.ts';

interface Case {
  readonly id: string;
  readonly pattern: string;
  readonly path: string;
  readonly dot?: boolean;
  readonly nocase?: boolean;
  readonly exclude?: readonly string[];
  readonly expect: { readonly match?: boolean; readonly error?: string };
  readonly why: string;
  readonly max_ms?: number;
}

const answer = ({ pattern, path, dot = false, nocase = false, exclude = [] }: Case): Case['expect'] => {
  try {
    const isExcluded = exclude.some((each) => compileGlob(each, { dot: true, ignoreCase: nocase }).test(path));
    return { match: compileGlob(pattern, { dot, ignoreCase: nocase }).test(path) && !isExcluded };
  } catch (fault) {
    return { error: (fault as Error).name };
  }
};

describe('the dialect', () => {
  // The file is ours and its shape is what the table below exercises.
  for (const each of corpus.cases as readonly Case[]) {
    test(`${each.id}: ${each.why}`, () => {
      const started = cpuMs();
      expect(answer(each)).toMatchObject(each.expect.error === undefined ? each.expect : { error: each.expect.error });
      expect(cpuMs() - started).toBeLessThan(each.max_ms ?? 1_000);
    });
  }
});

describe('paths of files', () => {
  test.each([
    ['x/**', 'x', false],
    ['x/**', 'x/a', true],
    ['x/**', 'x/y/b', true],
    ['*/**', 'c', false],
    ['*/**', 'x/a', true],
    ['**', 'c', true],
    ['**/c', 'c', true],
    ['{a,b}/**', 'b', false],
    ['**/x/**', 'x', false],
    ['**/x/**', 'a/x/b', true],
  ])('%s and %s: %s, as bash has it with globstar', (pattern, path, isMatch) => {
    expect(compileGlob(pattern, { ofFiles: true }).test(path)).toBe(isMatch);
  });
});

describe('extended patterns of shells', () => {
  test.each(['@(a|b)', '!(x)', '+(a)', 'a?(b)', '*(a|b)', 'd/@(a|b)/c', '{@(a),b}'])(
    '%s is refused with what to write instead',
    (pattern) => {
      expect(() => readPattern(pattern)).toThrow(/extended patterns of shells.*\{a,b\}/);
      expect(() => demandPatterns('glob', pattern)).toThrow(ArgumentException);
    },
  );

  test.each([
    ['(a|b)', '(a|b)'],
    ['*\\(1\\).txt', 'b (1).txt'],
    ['[@](a)', '@(a)'],
    ['a@(b', 'a@(b'],
    ['@\\(a)', '@(a)'],
  ])('%s is none and matches %s', (pattern, path) => {
    expect(readPattern(pattern).test(path)).toBe(true);
  });
});

describe('what the table leaves open', () => {
  test.each(['[]]', '[!]', 'a[', 'a\\/b', 'a/', 'a/..', 'a/\\./b', '{a,}/b', '{a,b/}', '{,a}', 'c:', '{[,}'])('%s is refused', (pattern) =>
    expect(() => compileGlob(pattern)).toThrow(ValidationException),
  );

  test.each([
    ['{[,],x}', ',', true],
    ['[{,}]', '{', true],
    ['a}', 'a}', true],
    ['a,b', 'a,b', true],
    ['a]', 'a]', true],
    ['[\\]]', ']', true],
    ['[a\\-c]', 'b', false],
    ['[a\\-c]', '-', true],
    ['[a-]', '-', true],
    ['[^a]', '😀', true],
    ['[😀-😂]x', '😁x', true],
    ['*😀?', 'a😀😀', true],
    ['\\.env', '.env', true],
    ['{a,b}{c,d}', 'bd', true],
    ['{a,b{c,d/e}}', 'bd/e', true],
    ['**', '', false],
    ['**', 'a//b', false],
    ['**/b', 'a/../b', false],
    ['a/**/**/b', 'a/b', true],
  ])('%s on %j is %j', (pattern, path, isMatch) => expect(compileGlob(pattern).test(path)).toBe(isMatch));

  test.each([
    ['STRASSE', 'strasse', true],
    ['σίσυφοΣ', 'ΣΊΣΥΦΟσ', true],
    ['?.txt', 'İ.txt', true],
    ['İ', 'İ', true],
    ['[K-M]', 'l', true],
    ['[k]', 'K', true],
    ['[!a-c]', 'B', false],
    ['kit', '\u212ait', true],
  ])('%s on %j in any case is %j', (pattern, path, isMatch) => expect(compileGlob(pattern, { ignoreCase: true }).test(path)).toBe(isMatch));

  test('a refusal shows the pattern and what to do', () => {
    expect(() => compileGlob('a[')).toThrow('The pattern "a[" has a [ without its ]; close it, or write \\[ for the character itself.');
  });

  test('the alternatives are counted before they are written out', () => {
    // Written out first, these would take longer than anybody waits.
    expect(() => compileGlob('{a,b}'.repeat(800))).toThrow('more than 1024 patterns');
    expect(compileGlob('{a,b}'.repeat(10)).test('ab'.repeat(5))).toBe(true);
    expect(() => compileGlob('{a,b}'.repeat(8).concat('x'.repeat(4_000)))).toThrow('with its alternatives written out');
    expect(() => compileGlob('{'.repeat(4_000))).toThrow('more than 64 braces inside of one another');
    const nested = (depth: number) => `${'{a,'.repeat(depth)}b${'}'.repeat(depth)}`;
    expect(compileGlob(nested(64)).test('b')).toBe(true);
    expect(() => compileGlob(nested(65))).toThrow(ValidationException);
    expect(compileGlob('{a,{b,c}}'.repeat(5)).test('abcab')).toBe(true);
  });
});

/** As one would explain it: every way is tried. */
const naive = (pattern: string, path: string, dot: boolean): boolean => {
  const deep = (segments: readonly string[], names: readonly string[]): boolean => {
    const [segment, ...others] = segments;
    const [name, ...rest] = names;
    if (segment === undefined) return name === undefined;
    if (segment === '**') return deep(others, names) || (name !== undefined && (dot || !name.startsWith('.')) && deep(segments, rest));
    return (
      name !== undefined &&
      (dot || !name.startsWith('.') || segment.startsWith('.')) &&
      within([...segment], [...name]) &&
      deep(others, rest)
    );
  };
  const within = (marks: readonly string[], characters: readonly string[]): boolean => {
    const [mark, ...others] = marks;
    const [character, ...rest] = characters;
    if (mark === undefined) return character === undefined;
    if (mark === '*') return within(others, characters) || (character !== undefined && within(marks, rest));
    return character !== undefined && (mark === '?' || mark === character) && within(others, rest);
  };
  return deep(pattern.split('/'), path.split('/'));
};

describe('random patterns', () => {
  const segments = fc.oneof(
    fc.constant('**'),
    fc.stringMatching(/^[ab.*?😀]{1,6}$/u).filter((segment) => !/^\.{1,2}$|^\*\*$/.test(segment)),
  );
  const patterns = fc.array(segments, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('/'));
  const names = fc.stringMatching(/^[ab.😀]{1,7}$/u).filter((name) => !/^\.{1,2}$/.test(name));
  const paths = fc.array(names, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('/'));

  test('match what every way tried one by one matches', () => {
    fc.assert(
      fc.property(patterns, paths, fc.boolean(), (pattern, path, dot) => {
        expect(compileGlob(pattern, { dot }).test(path)).toBe(naive(pattern, path, dot));
      }),
      { numRuns: 5_000 },
    );
  });

  test('alternatives match what their written-out forms match', () => {
    const choices = fc.array(fc.stringMatching(/^[ab*]{0,2}$/), { minLength: 2, maxLength: 3 });
    fc.assert(
      fc.property(fc.stringMatching(/^[ab]{1,2}$/), choices, choices, fc.stringMatching(/^[ab]{1,6}$/), (start, some, others, name) => {
        const forms = some.flatMap((first) => others.map((second) => start + first + second));
        const isMatch = compileGlob(`${start}{${some.join(',')}}{${others.join(',')}}`).test(name);
        expect(isMatch).toBe(forms.some((form) => naive(form.replaceAll(/\*+/g, '*'), name, false)));
      }),
    );
  });

  test('end soon, whatever they are', () => {
    const started = cpuMs();
    const name = `${'a'.repeat(254)}b`;
    const deep = `${'a/'.repeat(2_000)}b`;
    for (const pattern of [
      '*a'.repeat(1_000),
      `*${'a'.repeat(120)}c*`.repeat(20),
      `{${'*a,'.repeat(1_000)}c}`,
      '?*'.repeat(2_000),
      '[ab]*'.repeat(800),
    ]) {
      compileGlob(pattern).test(name);
    }
    for (const pattern of [
      '**/a/'.repeat(800).concat('c'),
      '**/'.repeat(1_300).concat('c'),
      `{a/,b/}{a/,b/}{a/,b/}${'**/a/'.repeat(100)}c`,
    ]) {
      compileGlob(pattern).test(deep);
    }
    expect(cpuMs() - started).toBeLessThan(1_000);
  });
});
