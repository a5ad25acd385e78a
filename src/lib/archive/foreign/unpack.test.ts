import { expect, test } from 'vitest';
import { demandMemory } from './unpack.ts';

test('what is too large for memory is refused before it is read', () => {
  expect(() => demandMemory(300 * 1024 ** 2, '7z')).toThrow('read in memory');
  expect(() => demandMemory(200 * 1024 ** 2, '7z')).not.toThrow();
});
