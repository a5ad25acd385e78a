import { describe, expect, test } from 'vitest';
import { openHouse } from '../../../test/support/house.ts';
import { holds, type ValueCondition } from './value-condition.ts';

const ask = (value: unknown, is: ValueCondition['is'], other: unknown = null) => holds({ value, is, other });

describe('a condition over a value', () => {
  test.each<[unknown, ValueCondition['is'], unknown, boolean]>([
    [true, 'true', null, true],
    [false, 'true', null, false],
    [false, 'false', null, true],
    [{ a: [1] }, 'equals', { a: [1] }, true],
    ['1', 'equals', 1, false],
    [1, 'not_equals', 2, true],
    [3, 'greater_than', 2, true],
    [2, 'greater_than', 2, false],
    [2, 'at_least', 2, true],
    [1, 'less_than', 2, true],
    [3, 'at_most', 2, false],
    ['2026-01-02', 'greater_than', '2026-01-01', true],
    [[], 'empty', null, true],
    [{}, 'empty', null, true],
    [null, 'empty', null, true],
    ['', 'empty', null, true],
    [['a'], 'not_empty', null, true],
    ['abc', 'contains', 'b', true],
    [[{ a: 1 }], 'contains', { a: 1 }, true],
    [{ key: 1 }, 'contains', 'key', true],
    [{ key: 1 }, 'contains', 'toString', false],
    [['a'], 'not_contains', 'b', true],
    ['backup-2026.tar', 'matches', '^backup-\\d+', true],
    ['backup', 'not_matches', '\\d', true],
  ])('%j %s %j: %s', async (value, is, other, answer) => {
    expect(await ask(value, is, other)).toBe(answer);
  });

  test.each<[unknown, ValueCondition['is'], unknown, string]>([
    ['yes', 'true', null, 'value must be true or false for this condition, not a text'],
    [1, 'greater_than', '1', 'other must be a number'],
    [[1], 'less_than', 1, 'value must be a number or a text'],
    [0, 'empty', null, 'value must be a text, a list, an object or null'],
    ['abc', 'contains', 1, 'other must be a text'],
    [5, 'contains', '5', 'value must be a text, a list or an object'],
    [5, 'matches', '5', 'value must be a text'],
    ['a', 'matches', null, 'other must be a regular expression'],
    ['a', 'matches', '(', 'The pattern cannot be used'],
  ])('%j %s %j makes no sense: %s', async (value, is, other, message) => {
    await expect(ask(value, is, other)).rejects.toMatchObject({ type: 'ArgumentException', message: expect.stringContaining(message) });
  });
});

const MANIFEST = '{"version": 1, "algorithm": "md5", "files": {"a": {"size": 3, "checksum": "900150983cd24fb0d6963f7d28e17f72"}}}';
const verify = ['FA_verify_manifest', { root: 'd', manifest_path: 'm.json' }];
const demand = ['FA_assert', { value: '${results[0].value.missing}', is: 'empty', message: 'Files are missing.' }];
const alert = ['FA_create_file', { file_path: 'went-on' }];

test('a list stops at what it found', async () => {
  await using house = openHouse({ files: { 'd/a': 'abc', 'm.json': MANIFEST } });
  const list = { stop_on_error: true, actions: [verify, demand, alert] };
  expect(await house.run(list)).toMatchObject({ ok: true });
  await using other = openHouse({ files: { 'd/b': 'abc', 'm.json': MANIFEST } });
  const { results, ok } = await other.run(list);
  expect([ok, ...results.map(({ status }) => status)]).toEqual([false, 'ok', 'failed', 'skipped']);
  expect(results[1]?.error).toEqual({
    type: 'AssertionException',
    message: 'Files are missing. The value is ["a"].',
    retryable: false,
    context: { value: ['a'], is: 'empty' },
  });
  expect(other.dir.read('went-on')).toBeUndefined();
});

test('a list goes one way or the other by what it found', async () => {
  await using house = openHouse({ files: { 'd/b': 'abc', 'm.json': MANIFEST } });
  const branch = ['FA_if', { value: '${results[0].value.ok}', then: [alert], else_: [['FA_fail', { message: 'The tree is damaged.' }]] }];
  const { results } = await house.run([verify, branch]);
  expect(results[1]).toMatchObject({
    status: 'failed',
    error: { type: 'ExecuteActionException', message: expect.stringContaining('The tree is damaged.') },
    steps: { results: [{ action: 'FA_fail', error: { type: 'AssertionException', message: 'The tree is damaged.' } }] },
  });
});

test('without a message the value and the condition are told, and both are cut', async () => {
  await using house = openHouse();
  const [short, long] = (
    await house.run([
      ['FA_assert', [3, 'at_most', 2]],
      ['FA_assert', [Array.from({ length: 1000 }, (_, at) => `file ${at}`), 'empty']],
    ])
  ).results;
  expect(short?.error?.message).toBe('The list demands that a value is: at most 2; it is 3.');
  expect(long?.error?.message.length).toBeLessThan(300);
  expect(long?.error?.context.value).toHaveLength(20);
});

describe('in a plan', () => {
  test('an assertion on what only a run can tell is complete: whatever it says, nothing more happens', async () => {
    await using house = openHouse({ files: { 'd/a': 'abc', 'm.json': MANIFEST } });
    const { ok, results } = await house.run({ dry_run: true, actions: [verify, demand, ['FA_substitute', ['${results[0].value.ok}']]] });
    expect(ok).toBe(true);
    for (const at of [1, 2]) {
      expect(results[at]).toMatchObject({ status: 'planned', plan: { effects: [] } });
      expect(results[at]?.plan).not.toHaveProperty('complete');
    }
  });

  test('one that cannot hold fails already there', async () => {
    await using house = openHouse();
    const { results } = await house.run({
      dry_run: true,
      actions: [
        ['FA_assert', [1, 'equals', 2]],
        ['FA_fail', ['No.']],
      ],
    });
    expect(results.map(({ status, error }) => [status, error?.type])).toEqual([
      ['failed', 'AssertionException'],
      ['failed', 'AssertionException'],
    ]);
  });

  test('a branch by a value that only a run can tell is not', async () => {
    await using house = openHouse({ files: { 'd/a': 'abc', 'm.json': MANIFEST } });
    const { results } = await house.run({ dry_run: true, actions: [verify, ['FA_if', ['${results[0].value.ok}', 'true', null, [alert]]]] });
    expect(results[1]?.plan).toMatchObject({ complete: false });
  });
});
