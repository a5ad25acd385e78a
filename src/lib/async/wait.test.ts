import { expect, test } from 'vitest';
import { systemWait } from './wait.ts';

test('waiting ends with the reason of the signal', async () => {
  const stop = new AbortController();
  const waiting = systemWait(120_000, stop.signal);
  stop.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
});

test('what need not be waited for is over at once', async () => {
  await expect(systemWait(0, AbortSignal.abort())).resolves.toBeUndefined();
});
