import { expect, test } from 'vitest';
import { createPlaces } from './places.ts';

const MOUNTS = `22 1 8:1 / / rw - ext4 /dev/sda1 rw
30 22 0:40 / /mnt/far rw - nfs far:/x rw
31 30 0:41 / /mnt/far/inner rw - nfs far:/y rw
32 22 0:42 / /mnt/with\\040blank rw - cifs //b/c rw
`;
const placeOf = createPlaces({ own: '/home/me/.local', readMounts: () => MOUNTS });

test.each([
  ['/mnt/far/a/b', '/mnt/far'],
  ['/mnt/far', '/mnt/far'],
  ['/mnt/far/inner/x', '/mnt/far/inner'],
  ['/mnt/farther/x', '/mnt/farther'],
  ['/mnt/with blank/x', '/mnt/with blank'],
  ['/home/me/data/x', '/home/me/data'],
  ['/x', '/'],
])('%s belongs to %s', (path, place) => {
  expect(placeOf(path)).toBe(place);
});

test('mounts are asked for again after a while', () => {
  let nowMs = 0;
  let mounts = '';
  const later = createPlaces({ own: '/home', readMounts: () => mounts, now: () => nowMs });
  expect(later('/mnt/far/a')).toBe('/mnt/far');
  mounts = MOUNTS;
  expect(later('/mnt/far/a/b')).toBe('/mnt/far/a');
  nowMs = 6_000;
  expect(later('/mnt/far/a/b')).toBe('/mnt/far');
});
