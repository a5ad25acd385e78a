import { closeSync, constants, openSync, readSync } from 'node:fs';
import type { Side } from '../tree-fault.ts';

/** Compares the content of files of equal size, one pair at a time, by synchronous calls; large ones in steps. */
export interface ContentComparer {
  readonly isOpen: boolean;
  /** Where it worked last: after a fault, where that happened. */
  readonly side: Side;
  /** Begins with two files of so many bytes. */
  open(source: string, target: string, bytes: number): void;
  /** Compares some; undefined where there is more to compare. */
  step(): boolean | undefined;
  close(): void;
}

/** Never through a link, never waiting at a pipe; Windows has neither flag. */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const BLOCK_BYTES = 128 * 1024;
const BLOCKS_PER_STEP = 16;

export const createContentComparer = (): ContentComparer => {
  const blocks = { source: Buffer.allocUnsafeSlow(BLOCK_BYTES), target: Buffer.allocUnsafeSlow(BLOCK_BYTES) };
  const files = { source: -1, target: -1 };
  let side: Side = 'source';
  let left = 0;

  const read = (from: Side, bytes: number): Buffer => {
    side = from;
    return blocks[from].subarray(0, readSync(files[from], blocks[from], 0, bytes, null));
  };

  const close = (): void => {
    const open = [files.source, files.target].filter((fd) => fd >= 0);
    files.source = -1;
    files.target = -1;
    for (const fd of open) closeSync(fd);
  };

  return {
    get isOpen() {
      return files.target >= 0;
    },
    get side() {
      return side;
    },
    open(source, target, bytes) {
      left = bytes;
      side = 'source';
      files.source = openSync(source, READ_FLAGS);
      side = 'target';
      files.target = openSync(target, READ_FLAGS);
    },
    step() {
      for (let count = 0; count < BLOCKS_PER_STEP && left > 0; count += 1) {
        const wanted = Math.min(left, BLOCK_BYTES);
        const here = read('source', wanted);
        // One that is shorter than it was is another file by now.
        if (here.byteLength < wanted || !here.equals(read('target', wanted))) return false;
        left -= wanted;
      }
      return left === 0 ? true : undefined;
    },
    close,
  };
};
