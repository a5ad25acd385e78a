import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openJson } from './document.ts';

const open = (text: string | Uint8Array) =>
  openJson(typeof text === 'string' ? Buffer.from(text) : text, { name: 'd.json', makeError: (message) => new Error(message) });

const COMMENTED = '{\n  "a": 1, // one\n  // about b\n  "b":2,\n  // about c\n  "c": 3 /* three */\n}\n';

describe('setting keeps the layout', () => {
  test.each<[about: string, before: string, keyPath: string, value: unknown, after: string]>([
    ['a value on its line', '{\n\t"a": 1, // one\n\t"b" : 2\n}', 'a', 'x', '{\n\t"a": "x", // one\n\t"b" : 2\n}'],
    ['a new member of one line without spaces', '{"a":1}', 'b', { c: [1, 2] }, '{"a":1,"b":{"c":[1,2]}}'],
    ['a new member of one line with spaces', '{"a": 1, "b": 2}', 'c', { d: [1, 2] }, '{"a": 1, "b": 2, "c": {"d": [1, 2]}}'],
    ['a new member on its own line', '{\n    "a": 1\n}\n', 'b', [1], '{\n    "a": 1,\n    "b": [\n        1\n    ]\n}\n'],
    ['a new member behind a comment', '{\n  "a": 1 // one\n}\n', 'b', 2, '{\n  "a": 1, // one\n  "b": 2\n}\n'],
    ['a new member where idle commas are liked', '{\n  "a": 1,\n}\n', 'b', 2, '{\n  "a": 1,\n  "b": 2,\n}\n'],
    ['a new member behind the last of a line', '[1, 2,]', '2', 3, '[1, 2, 3,]'],
    ['the first member of an empty object', '{\n  "a": {}\n}', 'a.b', 1, '{\n  "a": {\n    "b": 1\n  }\n}'],
    ['the first member of an empty object in a line', '{"a":{}}', 'a.b', 1, '{"a":{"b":1}}'],
    ['the first member of an empty document', '{}\n', 'a.b', 1, '{\n  "a": {\n    "b": 1\n  }\n}\n'],
    ['the first member beside a comment', '{ // none yet\n}', 'a', 1, '{ // none yet\n  "a": 1\n}'],
    ['a short list stays on its line', '{\n  "a": [1, 2]\n}', 'a.2', { b: 1 }, '{\n  "a": [1, 2, {"b": 1}]\n}'],
    ['line ends of Windows', '{\r\n  "a": 1\r\n}\r\n', 'b', { c: 1 }, '{\r\n  "a": 1,\r\n  "b": {\r\n    "c": 1\r\n  }\r\n}\r\n'],
    [
      'digits and spelling of other numbers',
      '{"n":12345678901234567890,"f":1.0,"e":1E+2,"a":1}',
      'a',
      2,
      '{"n":12345678901234567890,"f":1.0,"e":1E+2,"a":2}',
    ],
    ['escapes of other texts', '{"\\u0061b": "\\u00e9", "c": 1}', 'c', 'é', '{"\\u0061b": "\\u00e9", "c": "é"}'],
    ['null on the way becomes an object', '{"a":null}', 'a.b.c', 1, '{"a":{"b":{"c":1}}}'],
  ])('%s', (_about, before, keyPath, value, after) => {
    expect(open(before).set(keyPath, value)).toBe(after);
  });
});

describe('deleting keeps the layout', () => {
  test.each<[about: string, before: string, keyPath: string, after: string]>([
    ['the first of several lines', COMMENTED, 'a', '{\n  // about b\n  "b":2,\n  // about c\n  "c": 3 /* three */\n}\n'],
    ['one in the middle', COMMENTED, 'b', '{\n  "a": 1, // one\n  // about b\n  // about c\n  "c": 3 /* three */\n}\n'],
    ['the last, with the comma before it', COMMENTED, 'c', '{\n  "a": 1, // one\n  // about b\n  "b":2\n  // about c\n}\n'],
    ['the last where idle commas are liked', '{\n  "a": 1,\n  "b": 2,\n}', 'b', '{\n  "a": 1,\n}'],
    ['the first of one line', '{"a": 1, "b": 2}', 'a', '{"b": 2}'],
    ['the last of one line', '{"a": 1, "b": 2}', 'b', '{"a": 1}'],
    ['the only one', '{\n  "a": {\n    "b": 1\n  }\n}', 'a.b', '{\n  "a": {}\n}'],
    ['the only one beside a comment', '{\n  // b\n  "b": 1\n}', 'b', '{\n  // b\n}'],
    ['an item of a list', '[1, 2, 3]', '1', '[1, 3]'],
  ])('%s', (_about, before, keyPath, after) => {
    expect(open(before).remove(keyPath)).toBe(after);
  });

  test('what is not there changes nothing', () => {
    expect(open('{"a":[1]}').remove('a.1')).toBeUndefined();
    expect(open('{"a":1}').remove('a.b.c')).toBeUndefined();
  });
});

describe('reading', () => {
  test('numbers that a double cannot stand for come out as their digits', () => {
    expect(open('{"a":[9007199254740991,9007199254740993,-12345678901234567890,1e400,1.10]}').get('a').value).toEqual([
      9007199254740991,
      '9007199254740993',
      '-12345678901234567890',
      '1e400',
      1.1,
    ]);
  });

  test('comments and idle commas are no part of a value', () => {
    expect(open('{ /* , */ "a": [1, // ]\n 2,], "b//": "/*", }').get('').value).toEqual({ a: [1, 2], 'b//': '/*' });
  });

  test('keys named like prototypes are data', () => {
    const { value } = open('{"__proto__":{"polluted":1}, "n":12345678901234567890}').get('');
    expect(JSON.stringify(value)).toBe('{"__proto__":{"polluted":1},"n":"12345678901234567890"}');
    expect({}).not.toHaveProperty('polluted');
  });

  test('a byte order mark is taken off', () => {
    expect(open('\ufeff{"a":1}').set('a', 2)).toBe('{"a":2}');
  });
});

describe('a document that cannot be read is refused at its place', () => {
  test.each<[text: string, message: string]>([
    ['', 'd.json:1:1: there is no JSON here'],
    ['{"a":1', 'd.json:1:7: the text ends inside the object opened at line 1, column 1'],
    ['{"a":1,\n "a":2}', 'd.json:2:2: the key "a" stands twice'],
    ['{"a":1 "b":2}', 'd.json:1:8: a comma is missing'],
    ['{"a":-}', 'd.json:1:7: a digit is missing'],
    ['{"a":tru}', 'd.json:1:6: no JSON value starts like this'],
    ['[01]', 'd.json:1:3: a number cannot start with 0'],
    ['[1,,2]', 'd.json:1:4: a value is missing before this comma'],
    ['[,]', 'd.json:1:2: a value is missing before this comma'],
    ['{,}', 'd.json:1:2: a key is missing'],
    ['[1] 2', 'd.json:1:5: only one JSON value may stand here'],
    ['[1, /* 2]', 'd.json:1:5: this comment is never closed'],
    ['["\\ud800"]', 'd.json:1:3'],
    ['{a:1}', 'd.json:1:2: a key needs double quotes'],
  ])('%j', (text, message) => {
    expect(() => open(text)).toThrow(message);
  });

  test('bytes that are not UTF-8', () => {
    expect(() => open(Buffer.from([0x22, 0xff, 0x22]))).toThrow('d.json:1:2: this byte is not UTF-8');
  });

  test('nesting beyond 1,000 levels, however deep', () => {
    expect(open('['.repeat(1_000) + ']'.repeat(1_000)).get('0.0').found).toBe(true);
    expect(() => open('['.repeat(1_000_000))).toThrow('nested more than 1000 levels deep');
  });
});

describe('any document and any edit', () => {
  type Key = string | number;
  interface Style {
    readonly unit: string | undefined;
    readonly eol: string;
    readonly comment: string;
    readonly idle: string;
  }
  const style: fc.Arbitrary<Style> = fc.record({
    unit: fc.constantFrom(undefined, ' ', '\t'),
    eol: fc.constantFrom('\n', '\r\n'),
    comment: fc.constantFrom('', '/*"],*/'),
    idle: fc.constantFrom('', ','),
  });

  const layOut = (value: unknown, look: Style, indent = ''): string => {
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    const { unit, eol, comment, idle } = look;
    const inner = `${indent}${unit}`;
    const lineStart = unit === undefined ? '' : `${eol}${inner}`;
    const children = Object.entries(value).map(
      ([key, item]) => `${lineStart}${Array.isArray(value) ? '' : `${JSON.stringify(key)}:${comment}`}${layOut(item, look, inner)}`,
    );
    const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
    const last = children.length === 0 ? '' : `${idle}${comment}${unit === undefined ? '' : `${eol}${indent}`}`;
    return `${open}${comment}${children.join(`${comment},${comment}`)}${last}${close}`;
  };

  const pathsOf = (value: unknown, at: readonly Key[] = []): (readonly Key[])[] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, inner]) => [[...at, key], ...pathsOf(inner, [...at, key])])
      : [];

  const pointer = (path: readonly Key[]): string =>
    path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

  /** The same edit of plain data. */
  const model = (value: unknown, path: readonly Key[], change: (holder: object, key: Key) => void): unknown => {
    const copy: unknown = JSON.parse(JSON.stringify(value));
    const holder = path.slice(0, -1).reduce<unknown>((inner, key) => Reflect.get(Object(inner), key), copy);
    change(Object(holder), path.at(-1) ?? '');
    return copy;
  };

  // Whole numbers that come out as numbers.
  const isSafe = (each: unknown): boolean => !Number.isInteger(each) || Number.isSafeInteger(each);
  const value = fc
    .jsonValue({ maxDepth: 4 })
    .map((each): unknown => JSON.parse(JSON.stringify(each), (_, inner) => (isSafe(inner) ? inner : 0)));
  const container = value.filter((each) => pathsOf(each).length > 0);

  test('a replaced value is there and everything else is as it was', () => {
    fc.assert(
      fc.property(container, style, value, fc.nat(), (before, look, put, pick) => {
        const paths = pathsOf(before);
        const path = paths[pick % paths.length] ?? [];
        const text = open(layOut(before, look)).set(pointer(path), put);
        const wanted = model(before, path, (holder, key) => Object.defineProperty(holder, key, { value: put, enumerable: true }));
        expect(open(text).get('').value).toEqual(JSON.parse(JSON.stringify(wanted)));
      }),
      { numRuns: 300 },
    );
  });

  test('a removed value is gone and everything else is as it was', () => {
    fc.assert(
      fc.property(container, style, fc.nat(), (before, look, pick) => {
        const paths = pathsOf(before);
        const path = paths[pick % paths.length] ?? [];
        const text = open(layOut(before, look)).remove(pointer(path)) ?? '';
        const wanted = model(before, path, (holder, key) =>
          Array.isArray(holder) ? holder.splice(Number(key), 1) : Reflect.deleteProperty(holder, key),
        );
        expect(open(text).get('').value).toEqual(wanted);
      }),
      { numRuns: 300 },
    );
  });

  test('an added value is there and everything else is as it was', () => {
    const keyed = fc.dictionary(fc.string(), value);
    fc.assert(
      fc.property(keyed, style, fc.string(), value, (before, look, key, put) => {
        const text = open(layOut({ in: before }, look)).set(pointer(['in', key]), put);
        const wanted: object = JSON.parse(JSON.stringify(before));
        Object.defineProperty(wanted, key, { value: put, enumerable: true, writable: true, configurable: true });
        expect(open(text).get('').value).toEqual(JSON.parse(JSON.stringify({ in: wanted })));
      }),
      { numRuns: 300 },
    );
  });
});
