import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createSliceQueue, TimeSlice } from './time-slice.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setImmediate'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Asks often enough for the clock to be looked at. */
const isOver = (slice: TimeSlice): boolean => slice.isOver(64);

const begin = (queue = createSliceQueue()): TimeSlice => {
  vi.advanceTimersByTime(1);
  const slice = new TimeSlice(queue);
  isOver(slice);
  return slice;
};

test('a slice is over when the thread was held for long, and begins anew after others had it', () => {
  const slice = begin();
  expect(isOver(slice)).toBe(false);
  vi.advanceTimersByTime(20);
  expect([isOver(slice), slice.isOver()]).toEqual([true, true]);
  const resumed = vi.fn(() => isOver(slice));
  slice.pass(resumed);
  expect(resumed).not.toHaveBeenCalled();
  vi.runAllTimers();
  expect(resumed).toHaveReturnedWith(false);
});

test('the clock is looked at now and then, sooner after a long step', () => {
  const slice = begin();
  vi.advanceTimersByTime(20);
  expect(slice.isOver()).toBe(false);
  slice.count(1_000);
  expect(slice.isOver()).toBe(true);
});

test('of many pieces of work one goes on each time the loop comes round', () => {
  const queue = createSliceQueue();
  const slices = Array.from({ length: 5 }, () => begin(queue));
  let resumed = 0;
  for (const slice of slices)
    slice.pass(() => {
      resumed += 1;
    });
  for (let round = 1; round <= 5; round += 1) {
    vi.advanceTimersToNextTimer();
    expect(resumed).toBe(round);
  }
});

test('the strands of one piece of work go on some at a time, in their order', () => {
  const slice = begin();
  const resumed: number[] = [];
  for (let strand = 0; strand < 100; strand += 1) slice.pass(() => void resumed.push(strand));
  vi.advanceTimersToNextTimer();
  expect(resumed.length).toBeLessThan(100);
  vi.runAllTimers();
  expect(resumed).toEqual(Array.from({ length: 100 }, (_, at) => at));
});
