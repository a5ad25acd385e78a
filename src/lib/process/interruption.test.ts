import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { interruptionOf } from './interruption.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('an interruption', () => {
  test('happens when the time is up', async () => {
    using interruption = interruptionOf({ signal: new AbortController().signal, timeoutMs: 500 });
    vi.advanceTimersByTime(500);
    expect(await interruption.happens).toBe('timed out');
  });

  test('happens when the signal fires first', async () => {
    const controller = new AbortController();
    using interruption = interruptionOf({ signal: controller.signal, timeoutMs: 500 });
    controller.abort();
    vi.advanceTimersByTime(500);
    expect(await interruption.happens).toBe('aborted');
  });

  test('has happened when the signal had fired before', async () => {
    using interruption = interruptionOf({ signal: AbortSignal.abort() });
    expect(await interruption.happens).toBe('aborted');
  });

  test('leaves neither timer nor listener behind', () => {
    const { signal } = new AbortController();
    {
      using _interruption = interruptionOf({ signal, timeoutMs: 500 });
      expect([vi.getTimerCount(), getEventListeners(signal, 'abort').length]).toEqual([1, 1]);
    }
    expect([vi.getTimerCount(), getEventListeners(signal, 'abort').length]).toEqual([0, 0]);
  });
});
