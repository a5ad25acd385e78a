import type { Caller } from '../../access/caller.ts';
import type { Store } from '../engine/port.ts';
import { lockRun } from './carry-out.ts';
import type { UndoFiles } from './steps.ts';

export interface ForgetOptions {
  readonly store: Pick<Store, 'run' | 'undo' | 'lock'>;
  readonly files: Pick<UndoFiles<Caller>, 'discard'>;
}

/** Forgets how to undo a run and gives back the space of what is kept of it. False: it is under way, or being undone. */
export const forgetRun = async ({ store, files }: ForgetOptions, runId: string): Promise<boolean> => {
  const state = (await store.run(runId))?.state;
  if (state === 'queued' || state === 'running') return false;
  const lock = await lockRun(store, runId);
  if (lock === null) return false;
  try {
    await files.discard(runId, await store.undo.list(runId));
    await store.undo.remove(runId);
    return true;
  } finally {
    await lock.release();
  }
};
