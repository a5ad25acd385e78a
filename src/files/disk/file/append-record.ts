import { fstatSync, ftruncateSync, readSync, writeSync } from 'node:fs';
import type { Addition } from '../../../core/files.ts';
import { halfAppended, joinedToHalf } from '../../refusals.ts';

/** The most that is read to find out where a record has landed among what others have written. */
const MAX_SEARCHED_BYTES = 16 * 1024 * 1024;

/** What a record needs before it, so that it is not joined to a last line without an end. */
export const leadFor = (fd: number, { end }: Addition, size = fstatSync(fd).size): Uint8Array => {
  if (end === undefined || size === 0) return NOTHING;
  return endsWith(fd, end, size) ? NOTHING : end;
};

const NOTHING = new Uint8Array(0);

/**
 * Puts a record behind the content of a file that is open for appending, in one write, which no other write can divide. What a full
 * device took of it is taken back. Others may write at the same time: nothing of theirs is ever cut off, so that a part of ours which is
 * not the end of the file any more stays and is reported.
 */
export const appendRecord = (fd: number, addition: Addition, shown: string): void => {
  const before = fstatSync(fd).size;
  const lead = leadFor(fd, addition, before);
  const bytes = lead.length === 0 ? addition.record : Buffer.concat([lead, addition.record]);
  let done = 0;
  try {
    for (; done < bytes.length; done += writeSync(fd, bytes, done)) {
      if (done > 0 && !endsWith(fd, bytes.subarray(0, done))) throw halfAppended(shown);
    }
  } catch (fault) {
    if (done > 0 && !takeBack(fd, bytes.subarray(0, done))) throw halfAppended(shown, fault);
    throw fault;
  }
  if (addition.end !== undefined && fstatSync(fd).size !== before + bytes.length && isJoined(fd, bytes, { before, end: addition.end }))
    throw joinedToHalf(shown);
};

/** Cuts off what is ours, if it still is the end of the file; tells whether it was. */
const takeBack = (fd: number, part: Uint8Array): boolean => {
  const { size } = fstatSync(fd);
  if (!endsWith(fd, part, size)) return false;
  ftruncateSync(fd, size - part.length);
  return true;
};

const endsWith = (fd: number, bytes: Uint8Array, size = fstatSync(fd).size): boolean => {
  if (size < bytes.length) return false;
  return readAt(fd, size - bytes.length, bytes.length).equals(bytes);
};

/** Whether somebody left half a line between our look at the end and our write, so that ours stands behind it on one line. */
export const isJoined = (
  fd: number,
  bytes: Uint8Array,
  { before, end }: { readonly before: number; readonly end: Uint8Array },
): boolean => {
  const start = Math.max(0, before - end.length);
  const around = readAt(fd, start, Math.min(fstatSync(fd).size - start, MAX_SEARCHED_BYTES));
  const at = around.lastIndexOf(bytes);
  if (at <= before - start) return false; // where it was meant to be, or too far to be found
  return !around.subarray(at - end.length, at).equals(end);
};

const readAt = (fd: number, position: number, length: number): Buffer => {
  const into = Buffer.alloc(length);
  let filled = 0;
  for (let more = -1; filled < length && more !== 0; filled += more) more = readSync(fd, into, filled, length - filled, position + filled);
  return into.subarray(0, filled);
};
