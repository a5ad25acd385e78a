import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import {
  isAbandoned,
  MAX_PART_NAME_BYTES,
  newPartName,
  noteEndedThread,
  ownerOfPart,
  readOwner,
  startTicksOf,
  tagThread,
} from './part-name.ts';

describe('a temporary name', () => {
  test('has 128 random bits and tells its owner', () => {
    const names = Array.from({ length: 1000 }, newPartName);
    const random = names.map((name) => /-([0-9a-f]{32})\.part$/.exec(name)?.[1]);
    expect(new Set(random).size).toBe(1000);
    expect(names.map(ownerOfPart)).toMatchObject(Array.from({ length: 1000 }, readOwner));
    expect(readOwner().pid).toBe(process.pid);
  });

  test('never grows beyond its promised length', () => {
    const longest = `.factotum-${'f'.repeat(8)}-${'f'.repeat(8)}-${'9'.repeat(10)}-${'9'.repeat(16)}-${'f'.repeat(32)}.part`;
    expect(ownerOfPart(longest)).toBeDefined();
    expect(longest.length).toBeLessThanOrEqual(MAX_PART_NAME_BYTES);
  });

  test.each([
    '.factotum-0123456789abcdef0123456789abcdef.part',
    'report.part',
    '.factotum-x.part',
    `${newPartName()}.txt`,
    `a${newPartName()}`,
  ])('is not seen in %s', (name) => expect(ownerOfPart(name)).toBeUndefined());
});

describe('the start of a process', () => {
  test('tells it from others', () => {
    expect(startTicksOf(process.pid)).toBe(startTicksOf('self'));
    expect(startTicksOf(process.ppid)).not.toBe(startTicksOf('self'));
  });

  test('is not told of one that has ended', () => {
    expect(startTicksOf(spawnSync('true').pid)).toBeUndefined();
  });
});

describe('what somebody has abandoned', () => {
  const { home, boot, pid, ticks } = readOwner();
  const nameOf = (owner: Partial<ReturnType<typeof readOwner>>) => {
    const whole = { home, boot, pid, ticks, ...owner };
    return `.factotum-${whole.home}-${whole.boot}-${whole.pid}-${whole.ticks}-${'0'.repeat(32)}.part`;
  };
  const dead = spawnSync('true').pid;

  test.each([
    ['of a process that has ended', nameOf({ pid: dead }), true],
    ['of an earlier process with the number of one that runs', nameOf({ ticks: ticks + 1 }), true],
    ['of a process that runs', nameOf({}), false],
    ['of another machine or container, whose processes cannot be asked', nameOf({ home: '00000000', pid: dead }), false],
    ['of nobody', 'report.part', false],
  ])('is known of a file %s', (_whose, name, expected) => expect(isAbandoned(name)).toBe(expected));
});

test('what a thread was making is left behind when the thread is ended, though the process lives', () => {
  tagThread('0badcafe');
  const ofThread = newPartName();
  tagThread('');
  const own = newPartName();
  expect([isAbandoned(ofThread), isAbandoned(own)]).toEqual([false, false]);
  noteEndedThread('0badcafe');
  expect([isAbandoned(ofThread), isAbandoned(own)]).toEqual([true, false]);
});
