import { getHeapStatistics } from 'node:v8';
import { expect, test } from 'vitest';
import { QuotaExceededException } from '../../core/errors.ts';
import { watchHeap } from './heap-watch.ts';

const MB = 1024 * 1024;

test('what is kept counts, what is dropped does not', () => {
  const before = getHeapStatistics().used_heap_size;
  const watch = watchHeap('d', before + 64 * MB);
  let dropped = 0;
  for (let round = 0; round < 16; round += 1) {
    dropped += new Array(MB).fill(round).length; // 8 MB each, dropped at once; an expectation might hold on to it
    watch();
  }
  expect(dropped).toBe(16 * MB);
  const kept: unknown[] = [];
  expect(() => {
    for (;;) {
      kept.push(new Array(MB).fill(kept.length));
      watch();
    }
  }).toThrow(QuotaExceededException);
  expect(kept.length).toBeLessThan(20);
});
