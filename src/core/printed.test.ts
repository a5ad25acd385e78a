import { expect, test } from 'vitest';
import { printedJson, printedLines } from './printed.ts';

test('JSON shows the value that printed JSON stands for', () => {
  expect(JSON.stringify({ value: printedJson(['[{"a":1}', Buffer.from(',"é"]\n')]) })).toBe('{"value":[{"a":1},"é"]}');
});

test('JSON shows the list that printed lines stand for', () => {
  expect(JSON.stringify(printedLines(['a\nb\n', 'c\n']))).toBe('["a","b","c"]');
  expect(JSON.stringify(printedLines([]))).toBe('[]');
  expect(JSON.stringify(printedLines(['\n']))).toBe('[""]');
});
