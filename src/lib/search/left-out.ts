import { codeOf } from '../fs/system-fault.ts';
import { type FaultMessage, packFault } from '../workers/messages.ts';

/** Paths that had to be left out: how many, and the first of them. Plain data, for other threads. */
export interface LeftOut {
  count: number;
  /** From the root, with `/`. */
  readonly paths: string[];
  /** Why each of the paths could not be read; none where that is not why it was left out. */
  readonly faults: FaultMessage[];
}

const SHOWN_PATHS = 20;

export const nothingLeftOut = (): LeftOut => ({ count: 0, paths: [], faults: [] });

/** Adds a path. */
export const leaveOut = (left: LeftOut, relative: string): void => {
  left.count += 1;
  if (left.paths.length < SHOWN_PATHS) left.paths.push(relative);
};

/** Adds one that could not be read; one that is gone by now is nothing to tell of. */
export const leaveUnreadable = (left: LeftOut, relative: string, fault: unknown): void => {
  if (codeOf(fault) === 'ENOENT') return;
  if (left.paths.length < SHOWN_PATHS) left.faults.push(packFault(fault));
  leaveOut(left, relative);
};

/** Adds what another thread left out. */
export const addLeftOut = (left: LeftOut, { count, paths, faults }: LeftOut): void => {
  left.count += count;
  left.faults.push(...faults.slice(0, SHOWN_PATHS - left.paths.length));
  left.paths.push(...paths.slice(0, SHOWN_PATHS - left.paths.length));
};
