import { codeOf } from '../fs/system-fault.ts';

/** Paths that had to be left out: how many, and the first of them. */
export interface LeftOut {
  count: number;
  /** From the root, with `/`. */
  readonly paths: string[];
}

const SHOWN_PATHS = 20;

export const nothingLeftOut = (): LeftOut => ({ count: 0, paths: [] });

/** Adds a path. */
export const leaveOut = (left: LeftOut, relative: string): void => {
  left.count += 1;
  if (left.paths.length < SHOWN_PATHS) left.paths.push(relative);
};

/** Adds one that could not be read; one that is gone by now is nothing to tell of. */
export const leaveUnreadable = (left: LeftOut, relative: string, fault: unknown): void => {
  if (codeOf(fault) !== 'ENOENT') leaveOut(left, relative);
};

/** Adds what another thread left out. */
export const addLeftOut = (left: LeftOut, { count, paths }: LeftOut): void => {
  left.count += count;
  left.paths.push(...paths.slice(0, SHOWN_PATHS - left.paths.length));
};
