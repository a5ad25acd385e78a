import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createSilence } from './silence.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const open = () => {
  const heard: number[] = [];
  return { heard, silence: createSilence((limitMs) => heard.push(limitMs)) };
};

test('a sign of life begins the time anew, unless it counts in all', () => {
  const { heard, silence } = open();
  silence.waitFor(100, 'at a time');
  for (let turn = 0; turn < 10; turn += 1) {
    vi.advanceTimersByTime(60);
    silence.touch();
  }
  expect(heard).toEqual([]);
  vi.advanceTimersByTime(101);
  expect(heard).toEqual([100]);
  silence.waitFor(100, 'in all');
  vi.advanceTimersByTime(60);
  silence.touch();
  vi.advanceTimersByTime(60);
  expect(heard).toEqual([100, 100]);
});

test('a shorter wait after a longer one ends in its own time', () => {
  const { heard, silence } = open();
  silence.waitFor(60_000, 'in all');
  silence.stop();
  silence.waitFor(100, 'at a time');
  vi.advanceTimersByTime(101);
  expect(heard).toEqual([100]);
});

test('whoever does not wait may take all the time', () => {
  const { heard, silence } = open();
  silence.waitFor(100, 'at a time');
  silence.stop();
  vi.advanceTimersByTime(100_000);
  silence.waitFor(100, 'at a time');
  vi.advanceTimersByTime(60);
  silence.end();
  vi.advanceTimersByTime(100_000);
  expect([heard, vi.getTimerCount()]).toEqual([[], 0]);
});
