import { expect } from 'vitest';
import { changesBetween, snapshot } from './disk.ts';
import { testEachExample } from './example-room.ts';
import { differences, foretold } from './plan.ts';

await testEachExample('does what its dry run foretold, and the dry run nothing', async (room) => {
  const before = snapshot(room.path);
  const dry = await room.run({ dryRun: true });
  expect(snapshot(room.path)).toEqual(before);
  expect(dry.results.map(({ status, error }) => [status, error])).toEqual([['planned', undefined]]);
  const plan = foretold(dry, room.path);
  expect(plan.outside).toEqual([]);
  const { results } = await room.run();
  expect(results.map(({ status, error }) => [status, error])).toEqual([['ok', undefined]]);
  expect(differences(plan, changesBetween(before, snapshot(room.path)))).toEqual([]);
});
