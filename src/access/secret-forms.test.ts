import { describe, expect, test } from 'vitest';
import { formsOf } from './secret-forms.ts';

describe('formsOf', () => {
  test.each([
    ['the value itself', 'pass word', 'pass word'],
    ['a query parameter', 'pass/word', 'pass%2Fword'],
    ['a query parameter with lower-case digits', 'pass/word', 'pass%2fword'],
    ['a form field', 'pass word!', 'pass+word%21'],
    ['a part of an address', 'pass word/x', 'pass%20word/x'],
    ['a JSON text', 'pass"word', 'pass\\"word'],
    ['a JSON text in ASCII', 'pässword', 'p\\u00e4ssword'],
    ['HTML text', 'pass<"word', 'pass&lt;"word'],
    ['an HTML attribute', `pass"'word`, 'pass&quot;&#39;word'],
    ['base64', 'password', 'cGFzc3dvcmQ='],
    ['base64 without padding', 'password', 'cGFzc3dvcmQ'],
    ['base64url', 'pass>>>word', 'cGFzcz4-PndvcmQ'],
    ['hexadecimal digits', 'pass>>>word', '706173733e3e3e776f7264'],
    ['hexadecimal digits in capitals', 'pass>>>word', '706173733E3E3E776F7264'],
    ['a line', 'first-line\r\nsecond', 'first-line'],
    ['the base64 of a line', 'first-line\nsecond', 'Zmlyc3QtbGluZQ=='],
  ])('has %s', (_, secret, form) => {
    expect(formsOf(secret)).toContain(form);
  });

  test('leaves out lines that are too short to be told from ordinary text', () => {
    expect(formsOf('first-line\nshort')).not.toContain('short');
  });

  test('takes half a surrogate pair', () => {
    expect(formsOf('half-\ud800-pair')).toContain('half-\ud800-pair');
  });
});
