import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../../src/lib/fs/system-fault.ts';
import { tempDir } from '../../support/temp-dir.ts';

/** A file system of its own, 2 MiB large. */
export interface SmallDisk extends Disposable {
  readonly path: string;
  /** Leaves no room at all. */
  fill(): void;
  free(): void;
  allowWriting(isAllowed: boolean): void;
}

/** Undefined where this process may not mount one. */
export const smallDisk = (): SmallDisk | undefined => {
  const dir = tempDir();
  const path = dir.at('small');
  mkdirSync(path, { mode: 0o700 });
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m,mode=700', 'tmpfs', path]).status !== 0) {
    dir[Symbol.dispose]();
    return undefined;
  }
  const filler = join(path, 'filler');
  return {
    path,
    fill() {
      const { bfree, bsize } = statfsSync(path);
      writeFileSync(filler, Buffer.alloc(bfree * bsize));
    },
    free: () => rmSync(filler),
    allowWriting(isAllowed) {
      const { status, stderr } = spawnSync('mount', ['-o', `remount,${isAllowed ? 'rw' : 'ro'}`, path], { encoding: 'utf8' });
      if (status !== 0) throw new Error(stderr);
    },
    [Symbol.dispose]() {
      spawnSync('umount', ['-l', path]);
      dir[Symbol.dispose]();
    },
  };
};

/** Leaves no room; what a service writes at the same moment may have taken the last of it. */
export const fillUp = (disk: SmallDisk): void => {
  try {
    disk.fill();
  } catch (fault) {
    if (codeOf(fault) !== 'ENOSPC') throw fault;
  }
};

const probe = smallDisk();
probe?.[Symbol.dispose]();

/** Whether tests can have such a disk. */
export const canMount = probe !== undefined;
