import { createHash } from 'node:crypto';
import { fstatSync, fsyncSync, ftruncateSync, futimesSync, readSync } from 'node:fs';
import { utime } from '../../lib/fs/utime.ts';
import { openToAppend } from '../disk/file/open-file.ts';
import type { Spot } from '../place.ts';
import type { Inverse } from './inverse.ts';
import { type Reverted, refused, UNDONE } from './steps.ts';

const CHUNK_BYTES = 256 * 1024;

/**
 * Cuts off what was appended, if it still is the end of the file: nothing that others have put behind it goes. Where others have written
 * before it since, that stays too.
 */
export const cutBack = async (spot: Spot, change: Inverse & { readonly undo: 'cut' }): Promise<Reverted> => {
  const { start, bytes, digest, lead, mtimeMs } = change;
  const file = openToAppend(spot.at, spot.real);
  try {
    const { size, atimeMs } = fstatSync(file.fd);
    if (size <= start) return UNDONE; // never appended, or cut off already
    if (size < start + bytes) return refused('only a part of what was appended is there');
    if (digestFrom(file.fd, size - bytes) !== digest) return refused('something was appended or changed since');
    const leadBytes = Buffer.from(lead, 'base64url').length;
    const isAlone = size - bytes - leadBytes === start;
    ftruncateSync(file.fd, isAlone ? start : size - bytes);
    if (isAlone) futimesSync(file.fd, utime(atimeMs), utime(mtimeMs));
    fsyncSync(file.fd);
    return UNDONE;
  } finally {
    await file.close();
  }
};

const digestFrom = (fd: number, start: number): string => {
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let position = start, more = -1; more !== 0; position += more) {
    more = readSync(fd, chunk, 0, chunk.length, position);
    hash.update(chunk.subarray(0, more));
  }
  return hash.digest('base64url');
};
