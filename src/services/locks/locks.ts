import type { Locks } from '../../core/ports/locks.ts';
import { systemWait, type Wait } from '../../lib/async/wait.ts';
import { holdFile } from './file-lock.ts';
import { createStoreLocks, type StoreLocksParts } from './store-locks.ts';

export interface LocksParts extends Omit<StoreLocksParts, 'wait'> {
  readonly wait?: Wait;
}

/** The locks of one house: by name in a store, and of files. */
export const createLocks = ({ wait = systemWait, ...parts }: LocksParts): Locks => ({ ...createStoreLocks({ ...parts, wait }), holdFile });
