import { expect, test } from 'vitest';
import { limitWasm } from './limit-wasm.ts';

declare const WebAssembly: { readonly Memory: new (size: { initial: number }) => { grow(pages: number): number } };

test('a memory grows up to the limit and no further', () => {
  limitWasm(10 * 64 * 1024); // for this thread, which is the test's own
  const memory = new WebAssembly.Memory({ initial: 1 });
  expect(memory.grow(9)).toBe(1);
  expect(() => memory.grow(1)).toThrow('not allowed');
});
