import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createOverdue, type Watched } from './overdue.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const piece = (dueMs: number, late: () => void = () => {}): Watched => ({ dueMs, place: -1, late });

test('tells each piece of work once that it is late, and nothing else', () => {
  const overdue = createOverdue(100);
  const told: string[] = [];
  const work = ['a', 'b', 'c', 'd'].map((name, at) => piece(at < 2 ? 150 : 10_000, () => told.push(name)));
  for (const each of work) overdue.watch(each);
  vi.advanceTimersByTime(100);
  expect(told).toEqual([]);
  vi.advanceTimersByTime(1000);
  expect(told.sort()).toEqual(['a', 'b']);
  overdue.close();
});

test('forgets work wherever it stands, and takes no harm from being told twice', () => {
  const overdue = createOverdue(100);
  const told: number[] = [];
  const work = Array.from({ length: 50 }, (_, at) => piece(50, () => told.push(at)));
  for (const each of work) overdue.watch(each);
  for (const at of [0, 49, 20, 20, 21, 0, 48]) overdue.forget(work[at] as Watched); // there are fifty
  vi.advanceTimersByTime(100);
  const gone = new Set([0, 20, 21, 48, 49]);
  expect(told.sort((one, other) => one - other)).toEqual([...work.keys()].filter((at) => !gone.has(at)));
});

test('is not told late what a late one took along', () => {
  const overdue = createOverdue(100);
  const other = piece(50, () => expect.unreachable());
  const one = piece(50, () => overdue.forget(other));
  overdue.watch(one);
  overdue.watch(other);
  vi.advanceTimersByTime(100);
  expect([one.place, other.place]).toEqual([-1, -1]);
});

test('waits again for work that got more time', () => {
  const overdue = createOverdue(100);
  let late = 0;
  const work = piece(50, () => (late += 1));
  overdue.watch(work);
  work.dueMs = 250;
  vi.advanceTimersByTime(200);
  expect(late).toBe(0);
  vi.advanceTimersByTime(100);
  expect(late).toBe(1);
});
