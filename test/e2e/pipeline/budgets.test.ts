import { expect, test } from 'vitest';
import { createPolicy } from '../../../src/access/policy.ts';
import { openHouse, type TestHouse } from '../../support/house.ts';

const limited = (house: TestHouse, maxBytes: number) => ({
  caller: { name: 'limited', remote: true, policy: createPolicy({ readWrite: [house.dir.path], maxBytes }) },
});
const write = (name: string, bytes: number) => ['FA_create_file', { file_path: name, content: 'x'.repeat(bytes) }];

test('a caller writes no more bytes in one run than its policy grants, at any depth', async () => {
  await using house = openHouse();
  const list = [write('a', 60), ['FA_execute_action', { action_list: [write('b', 60)] }], write('c', 30)];
  const { results } = await house.factotum.run(list, limited(house, 100));
  expect(results.map(({ status }) => status)).toEqual(['ok', 'failed', 'ok']);
  expect(results[1]?.steps).toMatchObject({ results: [{ error: { type: 'QuotaExceededException' } }] });
  expect(house.dir.read('b')).toBeUndefined();
});

test('a plan tells so before, and a rehearsal spends nothing of the run', async () => {
  await using house = openHouse();
  const over = await house.factotum.run({ actions: [write('a', 101)], dry_run: true }, limited(house, 100));
  expect(over.results[0]?.error?.type).toBe('QuotaExceededException');
  const planned = await house.factotum.run({ actions: [write('a', 60)], dry_run: true }, limited(house, 100));
  const run = await house.factotum.run({ actions: [write('a', 60)], expect_plan: planned.plan_hash }, limited(house, 100));
  expect(run.ok).toBe(true);
});

test('each run has the whole budget', async () => {
  await using house = openHouse();
  for (const name of ['a', 'b']) expect((await house.factotum.run([write(name, 80)], limited(house, 100))).ok).toBe(true);
});
