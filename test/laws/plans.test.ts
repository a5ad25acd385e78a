import { expect } from 'vitest';
import { changesBetween, snapshot } from './disk.ts';
import { testEachExample } from './example-room.ts';
import { differences, foretold } from './plan.ts';

await testEachExample('does what its dry run foretold when it names that plan, and the dry run nothing', async (room, { fails }) => {
  const before = snapshot(room.path);
  const dry = await room.run({ dryRun: true });
  expect(snapshot(room.path)).toEqual(before);
  const [end, done] = fails === undefined ? ['planned', 'ok'] : ['failed', 'failed'];
  expect(dry.results.map(({ status, error }) => [status, error?.type])).toEqual([[end, fails]]);
  const plan = foretold(dry, room.path);
  expect(plan.outside).toEqual([]);
  const { results } = await room.run({ expectPlan: dry.plan_hash });
  expect(results.map(({ status, error }) => [status, error?.type])).toEqual([[done, fails]]);
  expect(differences(plan, changesBetween(before, snapshot(room.path)))).toEqual([]);
});
