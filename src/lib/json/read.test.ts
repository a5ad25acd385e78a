import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { JsonActionException } from '../../core/errors.ts';
import { readJson } from './read.ts';

type Part = string | { readonly repeat: readonly [string, number] } | { readonly hex: string };

interface Case {
  readonly id: string;
  readonly body: string | readonly Part[];
  readonly expect: { readonly status: number | readonly number[] };
  readonly why: string;
}

const bytesOf = (part: Part): Buffer => {
  if (typeof part === 'string') return Buffer.from(part);
  if ('hex' in part) return Buffer.from(part.hex, 'hex');
  const [text, count] = part.repeat;
  return Buffer.alloc(Buffer.byteLength(text) * count, text);
};

const bodyOf = ({ body }: Case): Buffer => Buffer.concat((typeof body === 'string' ? [body] : body).map(bytesOf));

const corpus = readJson(readFileSync(new URL('../../../test/fixtures/corpus/action-lists-bad.json', import.meta.url)));
// The file describes this shape itself; a wrong one fails the tests below.
const { cases } = corpus as { readonly cases: readonly Case[] };

/** Syntax, encoding, depth, numbers, duplicates: refused by the reader. The other groups are read and judged later. */
const aboutReading = cases.filter(({ id }) => /^(sx|en|de|nu|du)-/.test(id));
const refused = aboutReading.filter(({ expect: { status } }) => status === 400);
const accepted = aboutReading.filter(({ expect: { status } }) => status === 200);

describe('the corpus of bad lists', () => {
  test('has cases of both kinds and no others', () => {
    expect(refused.length).toBeGreaterThan(60);
    expect(accepted.length).toBeGreaterThan(1);
    expect(refused.length + accepted.length).toBe(aboutReading.length);
  });

  test.each(refused)('$id is refused: $why', (example) => {
    expect(() => readJson(bodyOf(example))).toThrow(JsonActionException);
  });

  test.each(accepted)('$id is accepted: $why', (example) => {
    const body = bodyOf(example);
    expect(readJson(body)).toEqual(JSON.parse(body.toString()));
  });

  test('a text is judged as its bytes are', () => {
    for (const example of aboutReading.filter(({ id }) => !id.startsWith('en-'))) {
      const read = () => readJson(bodyOf(example).toString());
      if (refused.includes(example)) expect(read, example.id).toThrow(JsonActionException);
      else expect(read, example.id).not.toThrow();
    }
  });
});

describe('a value', () => {
  test.each(['null', 'true', 'false', '0', '-1.5e+3', '""', '[]', '{}', ' \t\r\n[ 1 , { "a" : [ ] } ] \n'])('is read from %j', (text) => {
    expect(readJson(text)).toEqual(JSON.parse(text));
  });

  test('keeps __proto__ as an ordinary own key', () => {
    const value = readJson('{"__proto__":{"polluted":true},"constructor":1}');
    expect(JSON.stringify(value)).toBe('{"__proto__":{"polluted":true},"constructor":1}');
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect('polluted' in {}).toBe(false);
  });

  test('keeps minus zero', () => {
    expect(readJson('-0')).toBe(-0);
  });
});

describe('an error', () => {
  const broken = '[\n  ["FA_stat", {"path": "ü😀" "x"}]\n]';

  test('says what, where and the remedy, and carries the place as data', () => {
    expect(() => readJson(broken, { name: 'lists/a.json' })).toThrow(
      expect.objectContaining({
        message: 'lists/a.json:2:29: a comma is missing before this key; write one between them.',
        context: { name: 'lists/a.json', line: 2, column: 29, offset: 31, reason: 'syntax' },
      }),
    );
  });

  test('goes without a name where none is given', () => {
    expect(() => readJson(broken)).toThrow(
      expect.objectContaining({
        message: 'Line 2, column 29: a comma is missing before this key; write one between them.',
        context: { line: 2, column: 29, offset: 31, reason: 'syntax' },
      }),
    );
  });

  test('carries the broken line only when asked', () => {
    expect(() => readJson(broken, { excerpt: true })).toThrow(
      expect.objectContaining({
        context: expect.objectContaining({ excerpt: { text: '  ["FA_stat", {"path": "ü😀" "x"}]', pointer: 29 } }),
      }),
    );
  });

  test('never repeats an unquoted word, which may be a secret', () => {
    expect(() => readJson('{"password": hunter2}')).toThrow(expect.objectContaining({ message: expect.not.stringContaining('hunter2') }));
  });

  test('shows no control characters of a file name', () => {
    expect(() => readJson('', { name: 'a\u001b[2J\n.json' })).toThrow('a\\u001b[2J\\u000a.json:1:1: there is no JSON here');
  });
});
