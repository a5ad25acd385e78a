import type { UndoLimits } from '../../core/journal.ts';
import { type ForgetOptions, forgetRun } from './forget.ts';

/** How much is kept to undo runs with, and for how long. */
export interface UndoRoom extends UndoLimits {
  readonly maxAgeMs: number;
  /** Bytes that are kept for runs of one caller; left out, or undefined, as many as for all. */
  mostOf?(caller: string): number | undefined;
}

export interface TrimOptions extends UndoRoom, ForgetOptions {
  readonly now: number;
}

/** Forgets how to undo the oldest runs until the rest has room, those of a caller that has more than its share first among its own; answers how many it forgot. Runs under way stay, and those being undone. */
export const trimUndo = async ({ store, files, now, maxBytes, maxFiles, maxAgeMs, mostOf }: TrimOptions): Promise<number> => {
  const { runs, ...left } = { ...(await store.undo.usage()) };
  const bytesOf = new Map<string | null, number>();
  for (const { caller, bytes } of runs) bytesOf.set(caller, (bytesOf.get(caller) ?? 0) + bytes);
  const isOverShare = (caller: string | null) =>
    caller !== null && (bytesOf.get(caller) ?? 0) > (mostOf?.(caller) ?? Number.POSITIVE_INFINITY);
  let forgotten = 0;
  for (const run of runs) {
    const isOld = now - run.at > maxAgeMs;
    const isTooMuch = run.files > 0 && (left.bytes > maxBytes || left.files > maxFiles || isOverShare(run.caller));
    if (!isOld && !isTooMuch) continue;
    if (!(await forgetRun({ store, files }, run.runId))) continue;
    left.bytes -= run.bytes;
    bytesOf.set(run.caller, (bytesOf.get(run.caller) ?? 0) - run.bytes);
    left.files -= run.files;
    forgotten += 1;
  }
  return forgotten;
};
