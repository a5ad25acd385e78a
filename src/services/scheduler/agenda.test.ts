import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createAgenda } from './agenda.ts';

const key = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const step = fc.oneof(
  fc.record({ kind: fc.constant('set' as const), key, at: fc.integer({ min: 0, max: 50 }) }),
  fc.record({ kind: fc.constant('remove' as const), key }),
  fc.record({ kind: fc.constant('take' as const), now: fc.integer({ min: 0, max: 50 }) }),
);

test('an agenda is like a plain table that is sorted at every question', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
      const agenda = createAgenda();
      const table = new Map<string, number>();
      for (const each of steps) {
        if (each.kind === 'set') {
          agenda.set(each.key, each.at);
          table.set(each.key, each.at);
        } else if (each.kind === 'remove') {
          agenda.remove(each.key);
          table.delete(each.key);
        } else {
          const due = [...table].filter(([, at]) => at <= each.now);
          const taken = agenda.takeDue(each.now);
          expect(taken.map((name) => table.get(name))).toEqual(due.map(([, at]) => at).sort((a, b) => a - b));
          expect(taken.toSorted()).toEqual(due.map(([name]) => name).toSorted());
          for (const [name] of due) table.delete(name);
        }
        expect(agenda.nextAt).toBe(table.size === 0 ? undefined : Math.min(...table.values()));
      }
    }),
  );
});
