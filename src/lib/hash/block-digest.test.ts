import { expect, test } from 'vitest';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { createBlockDigest } from './block-digest.ts';
import { hashNames, openHasher } from './hasher.ts';
import { readInto } from './read-into.ts';

const BLOCK = 64 * 1024;
const LENGTHS = [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK, 3 * BLOCK + 5];

const filled = (length: number): Buffer => Buffer.alloc(length, 'some text that repeats ');

const runToEnd = (work: ReturnType<typeof readInto>): number => {
  if (typeof work === 'number') return work;
  for (let step = work.next(); ; step = work.next()) if (step.done === true) return step.value;
};

test('every digest is the same in blocks as in one go, whatever the length', async () => {
  using dir = tempDir(Object.fromEntries(LENGTHS.map((length) => [String(length), filled(length)])));
  for (const name of hashNames()) {
    const digest = await createBlockDigest(name);
    for (const length of LENGTHS) {
      const whole = await openHasher(name);
      whole.update(filled(length));
      expect(runToEnd(readInto(digest, dir.at(String(length))))).toBe(length);
      expect([name, length, digest.hex()]).toEqual([name, length, whole.digest()]);
    }
  }
});

test('only the first bytes are read where that is asked for', async () => {
  using dir = tempDir({ a: filled(3 * BLOCK) });
  const digest = await createBlockDigest('sha256');
  for (const bytes of [0, 1, BLOCK, BLOCK + 7]) {
    const whole = await openHasher('sha256');
    whole.update(filled(bytes));
    expect(runToEnd(readInto(digest, dir.at('a'), bytes))).toBe(bytes);
    expect(digest.hex()).toBe(whole.digest());
  }
});
