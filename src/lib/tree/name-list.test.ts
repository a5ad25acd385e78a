import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addName, addNameList, noNames } from './name-list.ts';

test('the first names are kept, whatever the order they come in and however they are divided', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.string({ maxLength: 3 })), { maxLength: 6 }), fc.integer({ min: 0, max: 8 }), (groups, most) => {
      const all = noNames();
      for (const group of groups) {
        const list = noNames();
        for (const name of group) addName(list, name, most);
        addNameList(all, list, most);
      }
      const names = groups.flat();
      expect([all.count, all.names.toSorted().slice(0, most)]).toEqual([names.length, names.toSorted().slice(0, most)]);
      expect(all.names.length).toBeLessThanOrEqual(2 * most);
    }),
  );
});
