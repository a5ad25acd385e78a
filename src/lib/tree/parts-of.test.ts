import { expect, test } from 'vitest';
import { divide } from './divide.ts';
import { partsOf } from './parts-of.ts';

test('paths of one directory come together, links are marked, directories keep their slash', () => {
  expect(partsOf(['a', 'd/x', 'b/', 'd/e/', 'd/l'], new Set(['d/l']))).toEqual([
    { relative: '', steps: ['a', 'b/'], kinds: new Map() },
    { relative: 'd/', steps: ['x', 'e/', 'l'], kinds: new Map([['l', 'link']]) },
  ]);
});

test.each([
  ['a/', '', 'a'],
  ['a/b/', 'a/', 'b'],
  ['a/b/c/', 'a/b/', 'c'],
])('%s is divided into parent and name', (relative, parent, name) => expect(divide(relative)).toEqual([parent, name]));
