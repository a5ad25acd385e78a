import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runsOf } from '../support/properties.ts';

test('a property gets a share of its runs each time', () => {
  expect([runsOf({}, 1 / 4), runsOf({ numRuns: 2_000 }, 1 / 4), runsOf({ numRuns: 2_000 }, 1)]).toEqual([25, 500, 2_000]);
});

test('few runs are not made fewer', () => {
  expect([runsOf({ numRuns: 5 }, 1 / 4), runsOf({ numRuns: 20 }, 1 / 4)]).toEqual([5, 10]);
});

test('what has failed before is always tried: every example, and all from a seed', () => {
  expect(runsOf({ numRuns: 20, examples: [[1], [2], [3]] }, 1 / 4)).toBe(13);
  expect(runsOf({ numRuns: 2, examples: [[1], [2], [3]] }, 1 / 4)).toBe(3);
  expect(runsOf({ numRuns: 150, seed: 7 }, 1 / 12)).toBe(150);
});

test('tests get it by the name of fast-check, with a seed of its own each time', () => {
  const drawn = (numRuns: number, examples: [number][] = []) => {
    const seen: number[] = [];
    fc.assert(
      fc.property(fc.integer(), (each) => void seen.push(each)),
      { numRuns, examples },
    );
    return seen;
  };
  const [first, second] = [drawn(400, [[1_234_567]]), drawn(400)];
  expect(first.length).toBeLessThan(400);
  expect(first[0]).toBe(1_234_567);
  expect(first.slice(1)).not.toEqual(second);
});
