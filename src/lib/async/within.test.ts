import { expect, test } from 'vitest';
import { within } from './within.ts';

test('waits for work, however it ends', async () => {
  const told: string[] = [];
  const late = new Promise<void>((resolve) => setImmediate(resolve)).then(() => void told.push('ended'));
  await within(60_000, late);
  await within(60_000, Promise.reject(new Error('no')));
  expect(told).toEqual(['ended']);
});

test('gives up waiting for work that does not end', async () => {
  await expect(within(1, new Promise(() => {}))).resolves.toBeUndefined();
});
