import { describe, expect, test } from 'vitest';
import type { Effect, Outcome, RunResult } from '../../src/core/result.ts';
import type { ChangeKind } from './disk.ts';
import { differences, foretold } from './plan.ts';

type Brief = readonly [kind: Effect['kind'], target: string];

const outcome = (effects: readonly Brief[], more: Partial<NonNullable<Outcome['plan']>> = {}): Outcome => ({
  index: 0,
  action: 'FA_t',
  status: 'planned',
  plan: { arguments: {}, effects: effects.map(([kind, target]) => ({ kind, target: `/room/${target}` })), ...more },
  duration_ms: 0,
});

const result = (...results: readonly Outcome[]): RunResult => {
  const counts = { ok: 0, failed: 0, skipped: 0, planned: results.length, reused: 0, cancelled: 0, indeterminate: 0 };
  return { run_id: 'x', ok: true, status: 'ok', counts, duration_ms: 0, results };
};

const changesOf = (...effects: readonly Brief[]) => [...foretold(result(outcome(effects)), '/room').changes];

describe('what a dry run foretells', () => {
  const cases: readonly [string, readonly Brief[], [string, ChangeKind][]][] = [
    [
      'a file that is made and removed again is nothing',
      [
        ['create', 'a'],
        ['delete', 'a'],
      ],
      [],
    ],
    [
      'a file that is made and replaced is made',
      [
        ['create', 'a'],
        ['overwrite', 'a'],
      ],
      [['a', 'create']],
    ],
    [
      'a file that is removed and made again is replaced',
      [
        ['delete', 'a'],
        ['create', 'a'],
      ],
      [['a', 'overwrite']],
    ],
    [
      'a file that is replaced and removed is removed',
      [
        ['overwrite', 'a'],
        ['delete', 'a'],
      ],
      [['a', 'delete']],
    ],
    ['reading changes nothing', [['read', 'a']], []],
  ];
  test.each(cases)('%s', (_, effects, changes) => expect(changesOf(...effects)).toEqual(changes));

  test('nested lists count', () => {
    const nested = result(
      outcome([], { steps: [result(outcome([['create', 'a']])), result(outcome([['create', 'b']], { complete: false }))] }),
    );
    const plan = foretold(nested, '/room');
    expect([...plan.changes.keys()]).toEqual(['a', 'b']);
    expect(plan.isComplete).toBe(false);
  });

  test('targets outside the room are told', () => {
    expect(
      foretold(
        result(
          outcome([
            ['read', '../elsewhere'],
            ['read', '..inside'],
            ['read', ''],
          ]),
        ),
        '/room',
      ).outside,
    ).toEqual(['/room/../elsewhere']);
  });
});

describe('a plan and what happened', () => {
  const compare = (planned: readonly Brief[], done: readonly [string, ChangeKind][], more = {}) =>
    differences(foretold(result(outcome(planned, more)), '/room'), new Map(done));

  test('agree when they are the same', () => expect(compare([['create', 'a']], [['a', 'create']])).toEqual([]));
  test('agree when a directory stands for what is in it', () => {
    expect(
      compare(
        [
          ['delete', 's'],
          ['create', 't'],
        ],
        [
          ['s', 'delete'],
          ['s/a', 'delete'],
          ['t', 'create'],
          ['t/a', 'create'],
        ],
      ),
    ).toEqual([]);
  });
  test('agree when a directory that is replaced stands for what comes into it', () => {
    expect(
      compare(
        [
          ['delete', 's'],
          ['overwrite', 't'],
        ],
        [
          ['s', 'delete'],
          ['s/a', 'delete'],
          ['t', 'overwrite'],
          ['t/a', 'create'],
        ],
      ),
    ).toEqual([]);
  });
  test('agree when a file stands for its new directory', () =>
    expect(
      compare(
        [['create', 'd/e/a']],
        [
          ['d', 'create'],
          ['d/e', 'create'],
          ['d/e/a', 'create'],
        ],
      ),
    ).toEqual([]));
  test('differ by what was not planned', () => expect(compare([], [['a', 'create']])).toEqual(['did create a without planning it']));
  test('differ by what did not happen', () =>
    expect(compare([['delete', 'a']], [])).toEqual(['planned to delete a, but it came to: nothing']));
  test('differ by how it happened', () => {
    expect(compare([['create', 'a']], [['a', 'overwrite']])).toEqual([
      'planned to create a, but it came to: overwrite',
      'did overwrite a without planning it',
    ]);
  });
  test('an incomplete plan may leave out, but not invent', () => {
    expect(compare([['create', 'a']], [['b', 'create']], { complete: false })).toEqual(['planned to create a, but it came to: nothing']);
  });
});
