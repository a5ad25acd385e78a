import fc from 'fast-check';
import { parse, stringify } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { findKeys, type KeyPath, placeOf } from './key-places.ts';

const lineOf = (text: string, path: KeyPath): string | undefined => {
  const place = placeOf(findKeys(text), path);
  return place === undefined ? undefined : text.slice(place).split('\n')[0];
};

describe('keys of a TOML document', () => {
  const text = [
    '# [comment]',
    'top = 1 # top = 2',
    '[http] # the door',
    'port = 9944',
    '  host="x=y"',
    '"quoted key" = true',
    'nested.deep."er" = 1979-05-27 07:32:00',
    'names = [ "a", # "b"',
    '  "c", { in = 1, line = [2, 3] } ]',
    'long = """',
    'port = 1',
    '"quoted" \\""" x"""""',
    "raw = '''",
    '[tcp]',
    "it's'''",
    '[ http . sub ]',
    'x = -1e3',
    '[[tokens]]',
    'name = "one"',
    '[[tokens]]',
    'name = "two"',
    '[tokens.more]',
    'deep = 1',
    '[[tokens.list]]',
    'a = 1',
    '[[tokens.list]]',
    'a = 2',
  ].join('\r\n');

  test.each<[KeyPath, string | undefined]>([
    [['top'], 'top = 1 # top = 2'],
    [['http'], '[http] # the door'],
    [['http', 'port'], 'port = 9944'],
    [['http', 'host'], 'host="x=y"'],
    [['http', 'quoted key'], '"quoted key" = true'],
    [['http', 'nested', 'deep', 'er'], 'nested.deep."er" = 1979-05-27 07:32:00'],
    [['http', 'nested'], 'nested.deep."er" = 1979-05-27 07:32:00'],
    [['http', 'names', 1], '"c", { in = 1, line = [2, 3] } ]'],
    [['http', 'names', 2, 'line'], 'line = [2, 3] } ]'],
    [['http', 'names', 2, 'line', 1], '3] } ]'],
    [['http', 'long'], 'long = """'],
    [['http', 'raw'], "raw = '''"],
    [['http', 'sub', 'x'], 'x = -1e3'],
    [['tokens'], '[[tokens]]'],
    [['tokens', 0, 'name'], 'name = "one"'],
    [['tokens', 1], '[[tokens]]'],
    [['tokens', 1, 'name'], 'name = "two"'],
    [['tokens', 1, 'more', 'deep'], 'deep = 1'],
    [['tokens', 1, 'list', 0, 'a'], 'a = 1'],
    [['tokens', 1, 'list', 1, 'a'], 'a = 2'],
    [['tcp'], undefined],
  ])('%j is found', (path, line) => {
    parse(text); // the table is about TOML
    expect(lineOf(text, path)?.trimEnd()).toBe(line);
  });

  test('a missing key is shown at its table', () => {
    expect(lineOf(text, ['http', 'sub', 'missing'])?.trimEnd()).toBe('[ http . sub ]');
  });

  test('every key that the parser reads is found, and what stands there is that key', () => {
    const key = fc.stringMatching(/^[a-z]{1,4}$/);
    const scalar = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.double({ noNaN: true, noDefaultInfinity: true }));
    const { table } = fc.letrec<{ table: Record<string, unknown>; value: unknown }>((tie) => ({
      table: fc.dictionary(key, tie('value'), { maxKeys: 4 }),
      value: fc.oneof({ maxDepth: 4 }, scalar, fc.array(scalar, { maxLength: 3 }), fc.array(tie('table'), { maxLength: 3 }), tie('table')),
    }));
    fc.assert(
      fc.property(table, (value) => {
        const written = stringify(value);
        const places = findKeys(written);
        for (const path of pathsOf(parse(written))) {
          const place = places.get(JSON.stringify(path));
          const last = path.at(-1);
          if (typeof last !== 'string') continue;
          expect(place).toBeDefined();
          expect(written.slice(place).split('\n')[0]).toMatch(new RegExp(`^(?:\\[\\[?(?:\\w+\\.)*${last}|(?:\\w+\\.)*${last} =|\\[)`));
        }
      }),
    );
  });

  test('any text is read to its end', () => {
    fc.assert(fc.property(fc.string({ unit: fc.constantFrom(...'[]{}"\'=,.#\n\\a1 ') }), (any) => void findKeys(any)));
  });
});

const pathsOf = (value: unknown, path: KeyPath = []): KeyPath[] => {
  if (Array.isArray(value)) return value.flatMap((item, index) => pathsOf(item, [...path, index]));
  if (typeof value !== 'object' || value === null) return [path];
  return [...(path.length > 0 ? [path] : []), ...Object.entries(value).flatMap(([key, item]) => pathsOf(item, [...path, key]))];
};
