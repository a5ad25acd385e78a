import { cachedDataVersionTag } from 'node:v8';
import { expect, test } from 'vitest';
import { createCollector } from './collect-young.ts';

test('collects, and leaves V8 the flags it had', () => {
  const before = cachedDataVersionTag();
  createCollector()();
  expect(cachedDataVersionTag()).toBe(before);
});
