import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatKeyPath, listIndex, parseKeyPath } from './key-path.ts';

const parse = (keyPath: string) => parseKeyPath(keyPath, (message) => new Error(message));

describe('a key path', () => {
  test.each<[keyPath: string, segments: readonly string[]]>([
    ['', []],
    ['...', []],
    ['a', ['a']],
    ['a..b.', ['a', 'b']],
    ['servers.0.name', ['servers', '0', 'name']],
    ['a\\.b.c', ['a.b', 'c']],
    ['a\\b', ['a\\b']],
    ['a b. c', ['a b', ' c']],
    ['line\nbreak.x', ['line\nbreak', 'x']],
    ['/', ['']],
    ['/a//b', ['a', '', 'b']],
    ['/a.b/~1~0/0', ['a.b', '/~', '0']],
    ['/~01', ['~1']],
  ])('%j leads through %j', (keyPath, segments) => {
    expect(parse(keyPath)).toEqual(segments);
  });

  test('a tilde that means nothing in a pointer is refused', () => {
    expect(() => parse('/a~2')).toThrow('write ~0 for a tilde');
  });

  test('64 segments are taken, 65 are not', () => {
    expect(parse('a.'.repeat(64))).toHaveLength(64);
    expect(() => parse('a.'.repeat(65))).toThrow('65 segments; use at most 64');
  });

  test('is shown so that it can be used again', () => {
    const segment = fc.string({ minLength: 1 }).filter((text) => !/[\\/]/.test(text));
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 5 }), (segments) => {
        expect(parse(formatKeyPath(segments))).toEqual(segments);
      }),
    );
  });
});

describe('an index into a list of three', () => {
  test.each<[segment: string, index: number | undefined]>([
    ['0', 0],
    ['2', 2],
    ['3', 3],
    ['4', undefined],
    ['-1', 2],
    ['-3', 0],
    ['-4', undefined],
    ['-0', 0],
    ['01', 1],
    ['1e0', undefined],
    ['+0', undefined],
    ['--1', undefined],
    ['', undefined],
    ['length', undefined],
    ['99999999999999999999', undefined],
  ])('%j is %j', (segment, index) => {
    expect(listIndex(segment, 3)).toBe(index);
  });
});
