import { expect, test } from 'vitest';
import { PrintedValue, printedJson, printedLines } from './printed.ts';

test('JSON shows the value that printed JSON stands for', () => {
  expect(JSON.stringify({ value: printedJson(['[{"a":1}', Buffer.from(',"é"]\n')]) })).toBe('{"value":[{"a":1},"é"]}');
});

test('JSON shows the list that printed lines stand for', () => {
  expect(JSON.stringify(printedLines(['a\nb\n', 'c\n']))).toBe('["a","b","c"]');
  expect(JSON.stringify(printedLines([]))).toBe('[]');
  expect(JSON.stringify(printedLines(['\n']))).toBe('[""]');
});

test('of a long one as much of its text is kept as shows that there is more', () => {
  const value = new PrintedValue(['["aaaa"', Buffer.from(',"bbbb"'), ',"cccc"]'], JSON.parse);
  expect(value.atMost(22)).toEqual(['aaaa', 'bbbb', 'cccc']);
  expect(value.atMost(21)).toBe('["aaaa","bbbb","cccc"]');
  expect(value.atMost(8)).toBe('["aaaa","bbb');
  expect(value.atMost(0)).toBe('["aa');
});
