import { expect, test } from 'vitest';
import { storageContract } from '../../test/contract/storage.ts';
import { outgoing } from '../../test/contract/storage-samples.ts';
import { openBudget } from '../core/quota.ts';
import { openMemory } from './backends/memory.ts';
import { guarded } from './guarded.ts';

const { signal } = new AbortController();

storageContract({
  name: 'memory, guarded',
  open: () => guarded(openMemory(), { budget: openBudget(1e9, undefined, 1e6), demand: () => {} }),
});

/** A storage of which only `open/` may be used, and what was asked. */
const watched = () => {
  const asked: string[] = [];
  const storage = guarded(openMemory(), {
    budget: undefined,
    demand(location, access) {
      asked.push(`${access} ${location}`);
      if (!location.startsWith('mem://open/')) throw new Error(`closed: ${location}`);
    },
  });
  return { storage, asked };
};

test.each([
  ['stat', 'read'],
  ['read', 'read'],
  ['remove', 'remove'],
  ['makeDir', 'write'],
  ['removeDir', 'remove'],
] as const)('%s is asked about as %s', async (method, access) => {
  const { storage, asked } = watched();
  await expect(storage[method]?.('closed/x', { signal })).rejects.toThrow('closed: mem://closed/x');
  expect(asked).toEqual([`${access} mem://closed/x`]);
});

test('writing, copying, moving and parts are asked about at both ends', async () => {
  const { storage } = watched();
  await storage.write('open/x', outgoing('x'), { signal });
  await expect(storage.write('closed/x', outgoing('x'), { signal })).rejects.toThrow('closed');
  await expect(storage.copy?.('open/x', 'closed/y', { signal })).rejects.toThrow('closed');
  await expect(storage.copy?.('closed/x', 'open/y', { signal })).rejects.toThrow('closed');
  await expect(storage.move?.('open/x', 'closed/y', { signal })).rejects.toThrow('closed');
  await expect(storage.startParts?.('closed/x', { signal, bytes: 1 })).rejects.toThrow('closed');
  await expect(storage.resumeParts?.('closed/x', { id: '1' }, { signal })).rejects.toThrow('closed');
  expect(() => storage.list('closed', { signal })).toThrow('closed');
});

test('what is sent counts against the budget, and nothing shows of what is too much', async () => {
  const storage = guarded(openMemory(), { budget: openBudget(10, undefined), demand: undefined });
  await storage.write('a', outgoing('12345'), { signal });
  await expect(storage.write('b', outgoing('1234567'), { signal })).rejects.toMatchObject({ type: 'QuotaExceededException' });
  expect(await storage.stat('b', { signal })).toBeUndefined();
});

test('parts count as well', async () => {
  const storage = guarded(openMemory(), { budget: openBudget(10, undefined), demand: undefined });
  const write = await storage.startParts?.('a', { signal, bytes: 20 });
  await expect(write?.put(1, outgoing('x'.repeat(20)), { signal })).rejects.toMatchObject({ type: 'QuotaExceededException' });
});

test('removing and replacing count as deleting', async () => {
  const storage = guarded(openMemory(), { budget: openBudget(0, undefined, 2), demand: undefined });
  await storage.write('a', outgoing('1'), { signal });
  await storage.write('a', outgoing('2'), { signal });
  await storage.remove('missing', { signal });
  await storage.remove('a', { signal });
  await storage.write('a', outgoing('3'), { signal });
  await expect(storage.write('a', outgoing('4'), { signal })).rejects.toMatchObject({ type: 'QuotaExceededException' });
});
