import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findValue, type JsonPath } from './find-value.ts';

const TEXT = `
[
  ["FA_stat", { "path": "a \\"}]", "x": [1, {"y": null}] }],
  {"nodes": [ ]}
]`;

test.each<[JsonPath, string]>([
  [[], '[\n  ["FA_stat"'],
  [[0], '["FA_stat"'],
  [[0, 1, 'path'], '"a \\"}]"'],
  [[0, 1, 'x', 1, 'y'], 'null'],
  [[1, 'nodes'], '[ ]'],
  [[0, 1, 'gone'], '{ "path"'],
  [[1, 'nodes', 3], '[ ]'],
  [[0, 'key'], '["FA_stat"'],
])('%j is found where it stands, or what is around it', (path, start) => {
  expect(TEXT.slice(findValue(TEXT, path)).startsWith(start)).toBe(true);
});

/** Every path of a value. */
const pathsOf = (value: unknown, path: JsonPath = []): JsonPath[] => {
  if (typeof value !== 'object' || value === null) return [path];
  const entries = Array.isArray(value) ? value.map((each, at) => [at, each] as const) : Object.entries(value);
  return [path, ...entries.flatMap(([key, each]) => pathsOf(each, [...path, key]))];
};

const valueAt = (value: unknown, path: JsonPath): unknown => path.reduce((each, key) => Reflect.get(Object(each), key), value);

test('every value of any document is found', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      for (const path of pathsOf(JSON.parse(text))) {
        const wanted = JSON.stringify(valueAt(JSON.parse(text), path));
        const rest = text.slice(findValue(text, path));
        expect(JSON.stringify(JSON.parse(beginningOf(rest)))).toBe(wanted);
      }
    }),
  );
});

/** The shortest beginning that is JSON and is followed by nothing that belongs to it. */
const beginningOf = (text: string): string => {
  for (let end = text.length; end > 0; end -= 1) {
    try {
      JSON.parse(text.slice(0, end));
      return text.slice(0, end);
    } catch {
      // shorter, then
    }
  }
  return text;
};
