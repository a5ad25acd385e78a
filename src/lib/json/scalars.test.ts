import { describe, expect, test } from 'vitest';
import { readJson } from './read.ts';

const refusal = (reason: string, column: number) =>
  expect.objectContaining({ context: expect.objectContaining({ reason, line: 1, column }) });

describe('a string', () => {
  test.each(['"\\"\\\\\\/\\b\\f\\n\\r\\t"', '"\\u00e9\\u00C9"', '"\\ud83d\\ude00 😀"', '"\u007f\u2028\ufeff\uffff"'])(
    'is read from %s',
    (text) => {
      expect(readJson(text)).toBe(JSON.parse(text));
    },
  );

  test.each([
    ['"abc', 'unfinished', 1],
    ['"abc\\', 'syntax', 5],
    ['"abc\\"', 'unfinished', 1],
    ['"a\tb"', 'syntax', 3],
    ['"a\u0000b"', 'syntax', 3],
    ['"C:\\data"', 'syntax', 4],
    ['"\\x41"', 'syntax', 2],
    ['"\\u12"', 'syntax', 2],
    ['"\\u12g4"', 'syntax', 2],
    ['"\\U0041"', 'syntax', 2],
    ['"a\\ud800"', 'lone_surrogate', 3],
    ['"a\\udc00"', 'lone_surrogate', 3],
    ['"\\ud800\\ud800"', 'lone_surrogate', 2],
    ['"\\ud800\\u0041"', 'lone_surrogate', 2],
    ['"\\ud800\udc00"', 'lone_surrogate', 2],
    ['"\ud800\\udc00"', 'lone_surrogate', 2],
    ['"a\ud800"', 'lone_surrogate', 3],
    ['"a\udc00"', 'lone_surrogate', 3],
    ['{"\\ud800":1}', 'lone_surrogate', 3],
  ])('%j is refused: %s at column %i', (text, reason, column) => {
    expect(() => readJson(text)).toThrow(refusal(reason, column));
  });

  test('with a raw line break is told how to write it', () => {
    expect(() => readJson('"a\nb"')).toThrow('a control character stands in a string; close the string or write \\n');
  });
});

describe('a number', () => {
  test.each([
    '9007199254740991',
    '-9007199254740991',
    '9007199254740993.0',
    '9007199254740993e0',
    '1e300',
    '1.7976931348623157e308',
    '1e-999',
    '0.1',
    '-0',
    '0e5',
    '1E+2',
    `0.${'1'.repeat(400)}`,
  ])('is read from %s', (text) => {
    expect(readJson(text)).toBe(Number(text));
  });

  test.each([
    ['9007199254740992', 'integer_range', 1],
    ['[-9007199254740992]', 'integer_range', 2],
    ['1'.repeat(400), 'integer_range', 1],
    ['[1,1e309]', 'overflow', 4],
    ['-1e400', 'overflow', 1],
    [`${'1'.repeat(400)}.5`, 'overflow', 1],
    ['-', 'syntax', 2],
    ['-Infinity', 'syntax', 2],
    ['5.', 'syntax', 3],
    ['1.e5', 'syntax', 3],
    ['1e', 'syntax', 3],
    ['1e+', 'syntax', 4],
    ['1e5.5', 'trailing', 4],
  ])('%s is refused: %s at column %i', (text, reason, column) => {
    expect(() => readJson(text)).toThrow(refusal(reason, column));
  });
});
