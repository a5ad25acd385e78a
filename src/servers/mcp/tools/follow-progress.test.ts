import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createProgressRegistry } from '../../../core/progress.ts';
import { followProgress, type ProgressReport } from './follow-progress.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const open = () => {
  const registry = createProgressRegistry();
  const told: ProgressReport[] = [];
  const follower = followProgress(registry, { runId: 'mine', caller: 'owner' }, async (progress) => void told.push(progress));
  return { registry, told, follower };
};

test('tells at once, then at most four times a second, and the last state at the end', async () => {
  const { registry, told, follower } = open();
  const work = registry.create('a.bin', { total: 100, runId: 'mine', action: 'FA_x' });
  await vi.advanceTimersByTimeAsync(0);
  expect(told).toEqual([{ progress: 0, total: 100, message: 'FA_x: a.bin' }]);
  for (let count = 0; count < 50; count += 1) work.advance(1);
  await vi.advanceTimersByTimeAsync(249);
  expect(told).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(told.map(({ progress }) => progress)).toEqual([0, 50]);
  work.advance(50);
  await follower.stop();
  expect(told.map(({ progress }) => progress)).toEqual([0, 50, 100]);
});

test('never tells less or the same again, and nothing of other runs', async () => {
  const { registry, told, follower } = open();
  registry.create('other', { runId: 'theirs' }).advance(1_000);
  const work = registry.create('own', { runId: 'mine' });
  work.advance(10);
  await vi.advanceTimersByTimeAsync(1_000);
  work.finish('done');
  registry.clearFinished();
  registry.create('again', { runId: 'mine' });
  await vi.advanceTimersByTimeAsync(1_000);
  await follower.stop();
  const states = told.map(({ progress }) => progress);
  expect(states.at(-1)).toBe(10);
  expect(states).toEqual([...new Set(states)].sort((a, b) => a - b));
});

test('sums up the pieces of a run; a total is known once every piece has one', async () => {
  const { registry, told, follower } = open();
  registry.create('one', { total: 5, runId: 'mine' }).advance(5);
  registry.create('two', { runId: 'mine' }).advance(2);
  await follower.stop();
  expect(told.at(-1)).toMatchObject({ progress: 7, message: 'Work: two' });
  expect(told.at(-1)).not.toHaveProperty('total');
});

test('says nothing after it stopped', async () => {
  const { registry, told, follower } = open();
  await follower.stop();
  registry.create('late', { runId: 'mine' }).advance(1);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(told).toEqual([]);
});
