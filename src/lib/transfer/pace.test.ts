import { expect, test } from 'vitest';
import { createPace } from './pace.ts';

const { signal } = new AbortController();

test('all who share a pace keep to its rate', async () => {
  let now = 0;
  const pace = createPace({
    bytesPerS: 1000,
    clock: { monotonic: () => now },
    wait: async (ms) => {
      now += ms;
    },
  });
  const send = async () => {
    for (let sent = 0; sent < 5000; sent += 1000) await pace(1000, signal);
  };
  await Promise.all([send(), send()]);
  expect(now).toBeGreaterThanOrEqual(9900); // a tenth of a second is free
  expect(now).toBeLessThanOrEqual(10_100);
});
