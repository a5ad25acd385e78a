import { expect, test } from 'vitest';
import { cpuGrowth } from '../../../../test/support/cpu-growth.ts';
import { CancelledException } from '../../../core/errors.ts';
import { diffTexts } from './diff-task.ts';
import { useDiff } from './use-diff.ts';

const many = (count: number, each: (index: number) => string) => Array.from({ length: count }, (_, index) => each(index)).join('');
const options = { context: 0, leftName: 'a', rightName: 'b' };
const work = { signal: new AbortController().signal, isLimited: true, name: 'a' };

test('long texts are compared and patched on a thread, with the same result and the same refusals', async () => {
  const left = many(40_000, (at) => `line ${at}\n`);
  const right = left.replace('line 700\n', 'changed\n');
  const patch = await useDiff({ kind: 'compare', left, right, options }, work);
  expect(patch).toBe('--- a\n+++ b\n@@ -701 +701 @@\n-line 700\n+changed\n');
  expect(await useDiff({ kind: 'apply', text: left, patch }, work)).toBe(right);
  await expect(useDiff({ kind: 'apply', text: right, patch }, work)).rejects.toMatchObject({ type: 'DiffException', context: { hunk: 1 } });
});

test('lines that would take too much memory are refused before they are made', async () => {
  await expect(useDiff({ kind: 'compare', left: '\n'.repeat(2_000_000), right: '', options }, work)).rejects.toMatchObject({
    type: 'QuotaExceededException',
    context: { path: 'a', limit: 'memory' },
  });
});

test('ends with its signal', async () => {
  const stop = new AbortController();
  const text = many(60_000, (at) => `line ${at}\n`);
  const comparing = useDiff({ kind: 'compare', left: text, right: `${text}x`, options }, { ...work, signal: stop.signal });
  stop.abort(new CancelledException('enough'));
  await expect(comparing).rejects.toThrow('enough');
});

test('hunks cost as much more as there are more of them', async () => {
  const order = (count: number) => {
    const text = 'x\ny\n'.repeat(count);
    const patch = many(count, (at) => `@@ -${2 * at + 1} +${2 * at + 1} @@\n-x\n+z\n`);
    return () => diffTexts({ wish: { kind: 'apply', text, patch }, name: 'a', maxBytes: Number.POSITIVE_INFINITY });
  };
  expect(await cpuGrowth(order(10_000), order(40_000))).toBeLessThan(9);
});
