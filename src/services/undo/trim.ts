import type { UndoLimits } from '../../core/journal.ts';
import { type ForgetOptions, forgetRun } from './forget.ts';

/** How much is kept to undo runs with, and for how long. */
export interface UndoRoom extends UndoLimits {
  readonly maxAgeMs: number;
}

export interface TrimOptions extends UndoRoom, ForgetOptions {
  readonly now: number;
}

/** Forgets how to undo the oldest runs until the rest has room; answers how many it forgot. Runs under way stay, and those being undone. */
export const trimUndo = async ({ store, files, now, maxBytes, maxFiles, maxAgeMs }: TrimOptions): Promise<number> => {
  const { runs, ...left } = { ...(await store.undo.usage()) };
  let forgotten = 0;
  for (const run of runs) {
    const isOld = now - run.at > maxAgeMs;
    const isTooMuch = run.files > 0 && (left.bytes > maxBytes || left.files > maxFiles);
    if (!isOld && !isTooMuch) continue;
    if (!(await forgetRun({ store, files }, run.runId))) continue;
    left.bytes -= run.bytes;
    left.files -= run.files;
    forgotten += 1;
  }
  return forgotten;
};
