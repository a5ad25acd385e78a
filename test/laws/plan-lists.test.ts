import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OWNER } from '../../src/access/caller.ts';
import { createInstance } from '../../src/app/create.ts';
import { outcomesIn } from '../../src/core/outcomes.ts';
import type { RunResult } from '../../src/core/result.ts';
import { tempDir } from '../support/temp-dir.ts';
import { changesBetween, snapshot } from './disk.ts';
import { differences, foretold } from './plan.ts';
import { anyList, type List, NAMED, SCENE, VARIABLES } from './plan-lists.ts';

const DAY_MS = 86_400_000;

/** How each command of the list itself ended; what was planned counts as done. */
const endings = ({ results }: RunResult): readonly string[] =>
  results.map(({ status, error }) => (status === 'planned' ? 'ok' : (error?.type ?? status)));

/** Whether nothing but contents is unknown, so that the plan names everything that it would touch. */
const namesAll = (plan: RunResult): boolean =>
  outcomesIn(plan).every(({ plan: own }) => own?.complete !== false || own.unknown?.every((key) => key === 'content') === true);

const judge = async (list: List): Promise<'exact' | 'open'> => {
  using dir = tempDir(SCENE);
  let now = Date.parse('2026-03-04T12:00:00Z');
  const clock = { now: () => now, monotonic: () => performance.now() };
  await using factotum = createInstance({ cwd: dir.path, env: VARIABLES, clock, log: { level: 'silent' } });
  const run = (request: List) => factotum.gateway.run(request, { caller: OWNER, named: NAMED });
  const before = snapshot(dir.path);
  const dry = await run({ ...list, dry_run: true });
  expect(snapshot(dir.path)).toEqual(before);
  now += DAY_MS;
  const done = await run({ ...list, expect_plan: dry.plan_hash });
  if (!namesAll(dry)) return 'open';
  const plan = { ...foretold(dry, dir.path), isComplete: true };
  expect(plan.outside).toEqual([]);
  expect(differences(plan, changesBetween(before, snapshot(dir.path)))).toEqual([]);
  expect(endings(done)).toEqual(endings(dry));
  return 'exact';
};

test('what this property has found stays as it was mended', { timeout: 300_000 }, () =>
  fc.assert(
    fc.asyncProperty(anyList, async (list) => void (await judge(list))),
    { seed: 638_918_558, numRuns: 150 },
  ),
);

test('a list with any references does what its plan says when it names that plan, on another day too', { timeout: 300_000 }, async () => {
  const judged: string[] = [];
  await fc.assert(
    fc.asyncProperty(anyList, async (list) => {
      judged.push(await judge(list));
    }),
    { numRuns: 150 },
  );
  expect(judged.filter((each) => each === 'exact').length).toBeGreaterThan(judged.length / 4);
});
