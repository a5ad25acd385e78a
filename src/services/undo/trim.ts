import type { Caller } from '../../access/caller.ts';
import type { Store } from '../engine/port.ts';
import { lockRun } from './carry-out.ts';
import type { UndoFiles } from './steps.ts';

/** How much is kept to undo runs with, and for how long. */
export interface UndoRoom {
  readonly maxBytes: number;
  readonly maxAgeMs: number;
}

export interface TrimOptions extends UndoRoom {
  readonly store: Pick<Store, 'run' | 'undo' | 'lock'>;
  readonly files: Pick<UndoFiles<Caller>, 'discard'>;
  readonly now: number;
}

/** Forgets how to undo the oldest runs until the rest has room; answers how many it forgot. Runs under way stay, and those being undone. */
export const trimUndo = async ({ store, files, now, maxBytes, maxAgeMs }: TrimOptions): Promise<number> => {
  const { bytes, runs } = await store.undo.usage();
  let left = bytes;
  let forgotten = 0;
  for (const run of runs) {
    const isOld = now - run.at > maxAgeMs;
    if (!isOld && left <= maxBytes) continue;
    const state = (await store.run(run.runId))?.state;
    if (state === 'queued' || state === 'running') continue;
    const lock = await lockRun(store, run.runId);
    if (lock === null) continue;
    await files.discard(run.runId, await store.undo.list(run.runId));
    await store.undo.remove(run.runId);
    await lock.release();
    left -= run.bytes;
    forgotten += 1;
  }
  return forgotten;
};
