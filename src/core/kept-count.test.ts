import { expect, test } from 'vitest';
import { createKeptCount, openSharedKeptCount } from './kept-count.ts';
import { UNDO_REASONS } from './undo-reasons.ts';

const LIMITS = { maxBytes: 100, maxFiles: 3 };
const roomOn = (device: number, freeBytes = 1_000) => ({ device, freeBytes, isTight: false });

test('threads of a run count bytes and files together', () => {
  const place = openSharedKeptCount();
  const [one, other] = [createKeptCount(place), createKeptCount(place)];
  expect(one.refuse({ bytes: 60, files: 1 }, LIMITS, undefined)).toBeUndefined();
  expect(other.refuse({ bytes: 60, files: 1 }, LIMITS, undefined)).toBe(UNDO_REASONS.tooLarge);
  expect(other.refuse({ bytes: 40, files: 1 }, LIMITS, undefined)).toBeUndefined();
  expect(one.refuse({ bytes: 0, files: 2 }, LIMITS, undefined)).toBe(UNDO_REASONS.tooMany);
  expect(one.refuse({ bytes: 0, files: 1 }, LIMITS, undefined)).toBeUndefined();
});

test('threads of a run count what a device has left together, each device by itself', () => {
  const place = openSharedKeptCount();
  const [one, other] = [createKeptCount(place), createKeptCount(place)];
  expect(one.refuse({ bytes: 40, files: 1 }, LIMITS, roomOn(7, 50))).toBeUndefined();
  expect(other.refuse({ bytes: 20, files: 1 }, LIMITS, roomOn(7, 50))).toBe(UNDO_REASONS.noRoom);
  expect(other.refuse({ bytes: 20, files: 1 }, LIMITS, roomOn(0, 50))).toBeUndefined();
});

test('what one thread gives back another one has', () => {
  const place = openSharedKeptCount();
  const [one, other] = [createKeptCount(place), createKeptCount(place)];
  const all = { bytes: 100, files: 3 };
  expect(one.refuse(all, LIMITS, roomOn(7, 100))).toBeUndefined();
  one.giveBack(all, roomOn(7, 100));
  expect(other.refuse(all, LIMITS, roomOn(7, 100))).toBeUndefined();
});

test('without a shared place each counts for itself', () => {
  const all = { bytes: 100, files: 3 };
  for (const count of [createKeptCount(), createKeptCount()]) expect(count.refuse(all, LIMITS, roomOn(7))).toBeUndefined();
});

test('more devices than have a place of their own are counted, those beyond as one', () => {
  const count = createKeptCount();
  for (let device = 0; device < 40; device += 1) expect(count.refuse({ bytes: 1, files: 0 }, LIMITS, roomOn(device, 50))).toBeUndefined();
  expect(count.refuse({ bytes: 49, files: 0 }, LIMITS, roomOn(3, 50))).toBeUndefined();
  expect(count.refuse({ bytes: 2, files: 0 }, LIMITS, roomOn(39, 26))).toBe(UNDO_REASONS.noRoom);
});
