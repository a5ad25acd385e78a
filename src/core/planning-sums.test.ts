import { describe, expect, test } from 'vitest';
import { createForesight } from './planning.ts';
import type { Effect } from './result.ts';

const sumOf = (...effects: Effect[]): readonly Effect[] => {
  const foresight = createForesight();
  const end = foresight.begin();
  for (const effect of effects) foresight.record(effect);
  return end();
};

const create = { kind: 'create', target: '/f', bytes: 1 } as const;
const overwrite = { kind: 'overwrite', target: '/f', bytes: 2 } as const;
const remove = { kind: 'delete', target: '/f' } as const;
const read = { kind: 'read', target: '/f' } as const;

describe('what one command does to one path comes to one effect', () => {
  test.each<[string, readonly Effect[], readonly Effect[]]>([
    ['made and changed: made, with its last size', [create, overwrite], [{ ...create, bytes: 2 }]],
    ['made and removed again: nothing', [create, remove], []],
    ['changed twice: changed once', [overwrite, { ...overwrite, bytes: 3 }], [{ ...overwrite, bytes: 3 }]],
    ['changed and removed: removed', [overwrite, remove], [remove]],
    ['removed and made anew: changed', [remove, create], [{ ...overwrite, bytes: 1 }]],
    ['read and changed: both', [read, overwrite, read], [read, overwrite]],
    ['made, removed and made anew: made', [create, remove, create], [create]],
  ])('%s', (_, effects, expected) => expect(sumOf(...effects)).toEqual(expected));

  test('and many effects are added up quickly', () => {
    const effects = Array.from({ length: 50_000 }, (_, at): Effect => ({ kind: 'create', target: `/${at}` }));
    expect(sumOf(...effects, ...effects)).toHaveLength(50_000);
  });
});
