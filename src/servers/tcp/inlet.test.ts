import { Socket } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createInlet } from './inlet.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

test('bytes that came while the process was too busy to look are not late', async () => {
  const socket = new Socket();
  const next = createInlet(socket).next(50);
  vi.advanceTimersByTime(50);
  socket.push('[]');
  expect(String(await next)).toBe('[]');
  socket.destroy();
});

test('without bytes the time ends', async () => {
  const socket = new Socket();
  const next = createInlet(socket).next(50);
  vi.advanceTimersByTime(50);
  expect(await next).toBe('late');
  socket.destroy();
});
