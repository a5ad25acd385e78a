import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMasker } from '../../access/mask.ts';
import { createSliceQueue, TimeSlice } from '../../lib/async/time-slice.ts';
import { maskInSlices } from './mask-in-slices.ts';

const long = 'x'.repeat(70_000);
const masker = createMasker();
masker.learn('correct-horse-battery');

const masked = (value: unknown) => maskInSlices(value, masker.json, new TimeSlice(createSliceQueue()));

test('a large value is masked as it is at once, keys and all', async () => {
  const leaf = fc.oneof(fc.integer(), fc.constant('correct-horse-battery'), fc.constant(long), fc.constant(null), fc.string());
  const key = fc.oneof(fc.constantFrom('password', 'token', 'correct-horse-battery', '__proto__', 'plain'), fc.string());
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small' },
      leaf,
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.array(fc.tuple(key, tie('tree')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
    ),
  }));
  // In which order keys stand is no matter: one that is masked itself may move.
  const seen = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
  const same = fc.asyncProperty(tree, async (value) => {
    const whole = [value, long, { password: [long], plain: value }];
    expect(seen(await masked(whole))).toEqual(seen(masker.json(whole)));
  });
  await fc.assert(same, { numRuns: 60 });
  await fc.assert(same, { seed: 1865372988, path: '8:2:2:1:4:8', numRuns: 60 });
});

test('what holds no secret is the same reference', async () => {
  const value = {
    actions: Array.from({ length: 5_000 }, (_, at) => ['FA_copy_file', { file_path: `a${at}`, target_path: long.slice(0, 20) }]),
  };
  expect(await masked(value)).toBe(value);
});
