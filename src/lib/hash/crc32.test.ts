import * as zlib from 'node:zlib';
import { expect, test } from 'vitest';
import { crc32, crc32Plainly } from './crc32.ts';

test('both ways are the sum that zip keeps', () => {
  const bytes = Buffer.from('123456789');
  expect(crc32Plainly(bytes)).toBe(0xcbf43926);
  expect(crc32(bytes)).toBe(0xcbf43926);
  expect(crc32Plainly(bytes.subarray(4), crc32Plainly(bytes.subarray(0, 4)))).toBe(0xcbf43926);
  for (let length = 0; length < 300; length += 7) {
    const some = Buffer.alloc(length, 0xa5 ^ length);
    expect(crc32Plainly(some, length)).toBe(zlib.crc32(some, length));
  }
});
