import type { Locks } from '../../core/ports/locks.ts';
import { systemWait, type Wait } from '../../lib/async/wait.ts';
import { createFileLocks, type FileLocksParts } from './file-lock.ts';
import { createStoreLocks, type StoreLocksParts } from './store-locks.ts';

export interface LocksParts extends Omit<StoreLocksParts, 'wait'>, Pick<FileLocksParts, 'takeChild'> {
  readonly wait?: Wait;
}

/** The locks of one house: by name in a store, and of files. */
export const createLocks = ({ wait = systemWait, ...parts }: LocksParts): Locks => ({
  ...createStoreLocks({ ...parts, wait }),
  ...createFileLocks({ ...parts, wait }),
});
