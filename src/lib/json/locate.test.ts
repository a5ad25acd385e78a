import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { locate } from './locate.ts';

describe('line and column', () => {
  test.each([
    ['', 0, 1, 1],
    ['abc', 2, 1, 3],
    ['abc', 3, 1, 4],
    ['a\nbc', 1, 1, 2],
    ['a\nbc', 2, 2, 1],
    ['a\r\nbc', 4, 2, 2],
    ['a\n', 2, 2, 1],
    ['\n\n\n', 1, 2, 1],
    ['😀😀x', 4, 1, 3],
    ['abc', 99, 1, 4],
    ['abc', -1, 1, 1],
  ])('of %j at %i are %i and %i', (text, offset, line, column) => {
    expect(locate(text, offset)).toMatchObject({ line, column });
  });
});

describe('the line shown', () => {
  test('is whole where it is short, without its line break', () => {
    expect(locate('one\r\ntwo three\r\nfour', 9)).toEqual({ line: 2, column: 5, text: 'two three', pointer: 5 });
  });

  test('is cut on both sides around a place in the middle', () => {
    const place = locate(`${'a'.repeat(500)}X${'b'.repeat(500)}`, 500);
    expect(place).toEqual({ line: 1, column: 501, text: `…${'a'.repeat(78)}X${'b'.repeat(39)}…`, pointer: 80 });
  });

  test('is cut on one side around a place near its start or end', () => {
    expect(locate('a'.repeat(500), 5)).toMatchObject({ text: `${'a'.repeat(118)}…`, pointer: 6 });
    expect(locate('a'.repeat(500), 500)).toMatchObject({ text: `…${'a'.repeat(118)}`, pointer: 120 });
  });

  test('escapes what a terminal would obey or hide', () => {
    expect(locate('a\u001b[2J\u202e\u00a0\ud800\u{e0001}x', 10)).toMatchObject({
      text: 'a\\u001b[2J\\u202e\\u00a0\\ud800\\u{e0001}x',
      pointer: 38,
    });
  });

  test('shows a tab as one space', () => {
    expect(locate('\t\tx', 2)).toMatchObject({ text: '  x', pointer: 3 });
  });

  test('has at most 120 visible characters, and the pointer at the place', () => {
    const text = fc.string({
      unit: fc.oneof(
        { weight: 99, arbitrary: fc.constantFrom('a', '"', 'é', '😀', '\r', '\t', '\u0007', '\u202e', '\ud800') },
        { weight: 1, arbitrary: fc.constant('\n') },
      ),
      maxLength: 400,
      size: 'max',
    });
    fc.assert(
      fc.property(text, fc.nat(400), (source, wanted) => {
        const offset = [...source].slice(0, wanted).join('').length;
        const place = locate(source, offset);
        const lines = source.slice(0, offset).split('\n');
        const shown = [...place.text];
        expect(place.line).toBe(lines.length);
        expect(place.column).toBe([...(lines.at(-1) ?? '')].length + 1);
        expect(shown.length).toBeLessThanOrEqual(120);
        expect(place.text).not.toMatch(/\p{Cc}|\p{Cs}/u);
        const character = String.fromCodePoint(source.codePointAt(offset) ?? 0x0a);
        if (/[a"😀]/u.test(character)) expect(shown[place.pointer - 1]).toBe(character);
      }),
    );
  });
});
