import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createInstance } from '../../../src/app/create.ts';
import type { LogSettings } from '../../../src/app/factotum.ts';
import * as door from '../../../src/index.ts';
import * as spec from '../../../src/spec.ts';
import { openHouse } from '../../support/house.ts';

const LIST = [['FA_create_file', { file_path: 'made.txt', content: '${date}' }]] as const;
const PLANNED = 'planned FA_create_file';

describe('the calls that a dry run would make', () => {
  const errors: string[] = [];
  beforeEach(() => {
    errors.length = 0;
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      errors.push(String(text));
      return true;
    });
  });
  afterEach(() => vi.restoreAllMocks());

  const told = () => errors.filter((line) => line.includes(PLANNED));

  test.each<[string, () => Promise<unknown>]>([
    ['executeAction', () => door.executeAction(LIST, { dryRun: true })],
    ['executeAction of a list that asks for it', () => door.executeAction({ actions: LIST, dry_run: true })],
    ['executeActionParallel', () => door.executeActionParallel(LIST, 2, true)],
    ['execute_action', () => spec.execute_action(LIST, false, true)],
    ['execute_action_parallel', () => spec.execute_action_parallel(LIST, 2, true)],
  ])('are told by %s on standard error, as they are written', async (_, run) => {
    await run();
    expect(told()).toHaveLength(1);
    expect(told()[0]).toContain('arguments={"file_path":"made.txt","content":"${date}"}');
  });

  test.each<[string, LogSettings | undefined, number]>([
    ['told unless something is said', undefined, 1],
    ['told at the level info', { level: 'info' }, 1],
    ['left out at a level that was chosen', { level: 'warn' }, 0],
    ['told at that level where they are wanted', { level: 'silent', plans: true }, 1],
    ['left out where they are not wanted', { plans: false }, 0],
  ])('are %s', async (_, log, count) => {
    await using factotum = createInstance({ ...(log && { log }) });
    await factotum.run({ actions: LIST, dry_run: true });
    expect(told()).toHaveLength(count);
  });
});

test('nested calls are told too, secrets are not', async () => {
  await using house = openHouse();
  const secret = ['FA_set_zip_password', { zip_file_path: 'a.zip', password: 'correct horse' }];
  await house.run({ actions: [['FA_execute_action', [LIST]], secret, ['FA_for_each', { items: [1, 2], actions: LIST }]], dry_run: true });
  expect(house.lines.filter((line) => line.includes(PLANNED))).toHaveLength(3);
  expect(house.lines.join()).not.toContain('correct horse');
});

test('a run that names its plan tells of no planning, and of each failure once', async () => {
  await using house = openHouse();
  const actions = [...LIST, ['FA_copy_file', ['missing', 'x']]];
  const { plan_hash: expect_plan } = await house.run({ actions, dry_run: true });
  const before = house.lines.length;
  await house.run({ actions, expect_plan });
  const later = house.lines.slice(before);
  expect([later.filter((line) => line.includes('planned')).length, later.filter((line) => line.includes('missing')).length]).toEqual([
    0, 1,
  ]);
});
