import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isAtOrBelow, judgeText } from './lexical.ts';

interface WindowsCase {
  readonly id: string;
  readonly platform?: string;
  readonly path: string;
  readonly expect: { readonly ok: boolean; readonly path?: string };
  readonly why: string;
}

const ROOT = 'C:\\work\\base';
const CORPUS = new URL('../../../test/fixtures/corpus/path-traversal.json', import.meta.url);
// The file is ours and its shape is what the table below exercises.
const { cases } = JSON.parse(readFileSync(CORPUS, 'utf8')) as { cases: WindowsCase[] };

/** The lexical stage and the containment test, as Windows would meet them without a link on the way. */
function joinOnWindows(path: string): string | undefined {
  const words = judgeText(path, { platform: 'win32', parents: 'refused' });
  if (words.kind === 'refused') return undefined;
  const joined = [words.kind === 'absolute' ? words.anchor.slice(0, 2) : ROOT, ...words.segments].join('\\');
  return isAtOrBelow(ROOT, joined, '\\') ? joined : undefined;
}

describe('on Windows', () => {
  test.each(cases.filter(({ platform }) => platform === 'win32'))('$id: $why', ({ path, expect: expected }) => {
    const joined = joinOnWindows(path.replaceAll('$R', ROOT));
    expect(joined).toBe(expected.ok ? expected.path?.replaceAll('$R', ROOT) : undefined);
  });

  test.each(['C:\\work\\base-evil\\x', 'D:\\work\\base\\x', 'C:\\', '//server/share', '/x', 'C:/work/base/../x', 'nul .txt', 'LPT³'])(
    '%s is refused',
    (path) => {
      expect(joinOnWindows(path)).toBeUndefined();
    },
  );

  test('a drive with forward slashes is an absolute path', () => {
    expect(joinOnWindows('C:/work/base/a')).toBe(`${ROOT}\\a`);
  });
});

describe('the reason names the rule', () => {
  test.each([
    [7, 'not_text'],
    ['', 'empty'],
    ['a\0', 'nul'],
    ['\ud800', 'lone_surrogate'],
    ['\\x', 'leading_separator'],
    ['c:x', 'drive_letter'],
    ['a/../b', 'parent_segment'],
    ['a\\..', 'parent_beside_backslash'],
    ['n'.repeat(256), 'name_too_long'],
    ['a/'.repeat(2049), 'path_too_long'],
  ])('%j: %s', (path, reason) => {
    expect(judgeText(path, { platform: 'posix', parents: 'refused' })).toEqual({ kind: 'refused', reason });
  });

  test.each([
    ['nul.txt', 'device_name'],
    ['a.', 'trailing_dot_or_space'],
    ['a|b', 'forbidden_character'],
  ])('%j on Windows: %s', (path, reason) => {
    expect(judgeText(path, { platform: 'win32', parents: 'refused' })).toEqual({ kind: 'refused', reason });
  });
});

describe('where parents are counted', () => {
  const judge = (path: string) => judgeText(path, { platform: 'posix', parents: 'counted' });

  test('a relative path may return to its start but not climb above it', () => {
    expect(judge('a/../b/..')).toEqual({ kind: 'relative', segments: ['a', '..', 'b', '..'] });
    expect(judge('a/../../base')).toEqual({ kind: 'refused', reason: 'climbs_above_root' });
  });

  test('an absolute path may climb, because its end is judged', () => {
    expect(judge('/../a')).toEqual({ kind: 'absolute', anchor: '/', segments: ['..', 'a'] });
  });
});

describe('containment', () => {
  test.each([
    ['/base', '/base', true],
    ['/base', '/base/a', true],
    ['/base', '/base-evil', false],
    ['/base', '/', false],
    ['/', '/etc', true],
  ])('%s holds %s: %s', (root, path, holds) => {
    expect(isAtOrBelow(root, path, '/')).toBe(holds);
  });
});
