import { describe, expect, test } from 'vitest';
import { readJson } from './read.ts';

const refusal = (context: { reason: string; line: number; column: number; offset: number }) =>
  expect.objectContaining({ context: expect.objectContaining(context) });

describe('bytes that are not UTF-8', () => {
  test.each([
    ['an invalid byte', 'ff'],
    ['an overlong slash', 'c0af'],
    ['a surrogate', 'eda081'],
    ['a cut sequence', 'e282'],
    ['a character above U+10FFFF', 'f4908080'],
  ])('are refused where they stand: %s', (_, hex) => {
    const bytes = Buffer.concat([Buffer.from('[\n"ü😀\ufffd'), Buffer.from(hex, 'hex'), Buffer.from('"]')]);
    expect(() => readJson(bytes)).toThrow(refusal({ reason: 'encoding', line: 2, column: 5, offset: 7 }));
  });

  test('are refused at the end of the text too', () => {
    expect(() => readJson(Buffer.from('5b5de2', 'hex'))).toThrow(refusal({ reason: 'encoding', line: 1, column: 3, offset: 2 }));
  });

  test('are called UTF-16 where they are', () => {
    expect(() => readJson(Buffer.from('\ufeff[]', 'utf16le'))).toThrow('Line 1, column 1: the text is UTF-16; save it as UTF-8.');
  });
});

test('a replacement character that is written out is an ordinary character', () => {
  expect(readJson(Buffer.from('["\ufffd"]'))).toEqual(['\ufffd']);
});

test('a plain Uint8Array that is a part of its buffer is read', () => {
  expect(readJson(new TextEncoder().encode('xx["é"]').subarray(2))).toEqual(['é']);
});

describe('a byte order mark', () => {
  const marked = '\ufeff[1 2]';

  test.each([marked, Buffer.from(marked)])('is refused unless allowed', (input) => {
    expect(() => readJson(input)).toThrow(refusal({ reason: 'byte_order_mark', line: 1, column: 1, offset: 0 }));
  });

  test.each([marked, Buffer.from(marked)])('does not count in positions where allowed', (input) => {
    expect(() => readJson(input, { allowBom: true })).toThrow(refusal({ reason: 'syntax', line: 1, column: 4, offset: 3 }));
  });

  test('is allowed once and only at the start', () => {
    expect(readJson('\ufeff[]', { allowBom: true })).toEqual([]);
    expect(() => readJson('\ufeff\ufeff[]', { allowBom: true })).toThrow('the invisible character \\ufeff stands here');
    expect(readJson('["\ufeff"]')).toEqual(['\ufeff']);
  });
});
