import { describe, expect, test } from 'vitest';
import { isForgottenPart, isStoragePart, newStoragePartName } from './part-name.ts';

const DAY_MS = 24 * 3_600_000;

describe('the name of a file on its way', () => {
  test('fits beside the longest name, and is never the same', () => {
    const names = [newStoragePartName('x'.repeat(255)), newStoragePartName('x'.repeat(255))];
    expect(names.every((name) => name.length < 150 && isStoragePart(name))).toBe(true);
    expect(names[0]).not.toBe(names[1]);
  });

  test.each(['a.txt', '.hidden', '.factotum-1.part', `.${'0'.repeat(16)}.factotum-x.part`])('is none that a user gives: %s', (name) => {
    expect(isStoragePart(name)).toBe(false);
  });

  test('of a process that lives is not forgotten, however old', () => {
    expect(isForgottenPart(newStoragePartName('a'), 'a', 90 * DAY_MS)).toBe(false);
  });

  test('of a process that is gone is forgotten at once, for its own target only', () => {
    const name = newStoragePartName('a').replace(/-[0-9]+-[0-9]+-(?=[0-9a-f]{32}\.part$)/, '-4194999-1-');
    expect([isForgottenPart(name, 'a', 0), isForgottenPart(name, 'b', 0)]).toEqual([true, false]);
  });

  test('of another machine is forgotten after a day', () => {
    const name = newStoragePartName('a').replace(/\.factotum-[0-9a-f]{8}/, '.factotum-00000000');
    expect([isForgottenPart(name, 'a', DAY_MS - 1), isForgottenPart(name, 'a', DAY_MS + 1)]).toEqual([false, true]);
  });
});
