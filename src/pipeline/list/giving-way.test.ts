import { expect, test } from 'vitest';
import { openOwner } from '../../../test/e2e/files/ports.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { TimeSlice, threadSlices } from '../../lib/async/time-slice.ts';
import { givingWay } from './giving-way.ts';

test('a port that gives way answers the same, and others have their turn between calls', async () => {
  using dir = tempDir({ a: 'x' });
  const port = openOwner(dir.path);
  const slow = givingWay(port, new TimeSlice(threadSlices));
  expect(Object.keys(slow)).toEqual(Object.keys(port));
  expect(slow.absolute('a')).toBe(port.absolute('a'));
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  for (let calls = 0; calls < 20_000; calls += 1) await slow.stat('a');
  isOver = true;
  expect(turns).toBeGreaterThan(3);
  await expect(slow.read('none')).rejects.toThrow();
});
