import { describe, expect, test } from 'vitest';
import { readJson } from './read.ts';

describe('depth', () => {
  const nested = (depth: number) => '[{"a":'.repeat(depth / 2) + '}]'.repeat(depth / 2).replace('}', '0}');

  test('64 levels are read and the bracket that opens the 65th is refused', () => {
    expect(readJson(nested(64))).toEqual(JSON.parse(nested(64)));
    expect(() => readJson(nested(66))).toThrow('Line 1, column 193: arrays and objects are nested more than 64 levels deep');
  });

  test('only counts what is open', () => {
    expect(readJson('[[],{},[],{}]', { maxDepth: 2 })).toEqual([[], {}, [], {}]);
  });

  test('can be limited to plain values', () => {
    expect(readJson('1', { maxDepth: 0 })).toBe(1);
    expect(() => readJson('[]', { maxDepth: 0 })).toThrow('more than 0 levels');
  });

  test('has no limit of its own: 100,000 levels do not overflow the stack', () => {
    let value = readJson('['.repeat(100_000) + ']'.repeat(100_000), { maxDepth: 100_000 });
    let depth = 0;
    for (; Array.isArray(value); value = value[0]) depth += 1;
    expect(depth).toBe(100_000);
  });
});

describe('a key', () => {
  test.each([
    ['{"a":1,"a":2}', 8],
    ['{"a":1,"\\u0061":2}', 8],
    ['{"\\u0061":1,"a":2}', 13],
    ['{"":1,"":2}', 7],
    ['{"__proto__":1,"__proto__":2}', 16],
    ['[{"a":{"b":1},"c":[{"b":1}],"a":2}]', 29],
  ])('that stands twice in %s is refused at column %i', (text, column) => {
    expect(() => readJson(text)).toThrow(
      expect.objectContaining({ context: expect.objectContaining({ reason: 'duplicate_key', line: 1, column }) }),
    );
  });

  test('may stand in an object and in those around, inside and beside it', () => {
    const text = '{"a":{"a":{"a":1},"b":[{"a":1},{"a":1}]},"b":1}';
    expect(readJson(text)).toEqual(JSON.parse(text));
  });

  test.each([8, 9, 10, 1_000])('is recognised again after %i others', (count) => {
    const entries = Array.from({ length: count }, (_, index) => `"k${index}":1`).join(',');
    expect(Object.keys(Object(readJson(`{${entries},"toString":1}`)))).toHaveLength(count + 1);
    expect(() => readJson(`{${entries},"k0":1}`)).toThrow('the key "k0" stands twice');
    expect(() => readJson(`{${entries},"k${count - 1}":1}`)).toThrow(`the key "k${count - 1}" stands twice`);
  });

  test('is shown cut and without invisible characters', () => {
    const key = `\u202e${'x'.repeat(60)}`;
    expect(() => readJson(`{"${key}":1,"${key}":2}`)).toThrow(`the key "\\u202e${'x'.repeat(39)}…" stands twice`);
  });
});
