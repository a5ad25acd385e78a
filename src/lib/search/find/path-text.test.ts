import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addPaths, createPathWriter, linesOf } from './path-text.ts';

const names = fc.constantFrom('a', 'b.txt', 'é', '€', '😀', ' ', 'x'.repeat(300));
const groups = (name: fc.Arbitrary<string>) =>
  fc.array(fc.tuple(fc.array(name, { maxLength: 3 }), fc.array(name, { minLength: 1, maxLength: 40 })), { maxLength: 30 });

const write = (some: readonly (readonly [readonly string[], readonly string[]])[], asLines: boolean) => {
  const writer = createPathWriter({ shown: '/shown', asLines });
  for (const [directory, names] of some) writer.add(directory.map((name) => `${name}/`).join(''), names);
  return writer.text();
};

const expected = (some: readonly (readonly [readonly string[], readonly string[]])[]) =>
  some.flatMap(([directory, names]) => names.map((name) => ['/shown', ...directory, name].join('/')));

test('paths are read as they were written', () => {
  fc.assert(
    fc.property(groups(fc.oneof(names, fc.constant('a\nb'))), fc.boolean(), (some, asLines) => {
      const paths: string[] = [];
      addPaths(paths, write(some, asLines));
      expect(paths).toEqual(expected(some));
    }),
  );
});

test('lines are given unless a path holds a line end', () => {
  fc.assert(
    fc.property(groups(names), groups(names), (some, others) => {
      const lines = linesOf([write(some, true), write(others, true)]);
      expect(lines && Buffer.concat(lines).toString()).toBe(
        expected([...some, ...others])
          .map((path) => `${path}\n`)
          .join(''),
      );
    }),
  );
  expect(linesOf([write([[[], ['a']]], true), write([[['d\n'], ['a']]], true)])).toBeUndefined();
  expect(linesOf([write([[[], ['a', 'b\n']]], true)])).toBeUndefined();
});
