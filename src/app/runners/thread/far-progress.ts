import { CancelledException } from '../../../core/errors.ts';
import type { Progress } from '../../../core/progress.ts';
import type { Telling } from '../messages.ts';

/** A progress entry that stands on another thread. */
export interface FarProgress extends Progress {
  /** Somebody cancelled it there. */
  cancel(): void;
}

/** How often what was done is told. */
const TELL_EVERY_MS = 100;

export const createFarProgress = (entry: number, name: string, tell: (telling: Telling) => void): FarProgress => {
  const controller = new AbortController();
  let untold = 0;
  let timer: NodeJS.Timeout | undefined;
  const tellUnits = () => {
    timer = undefined;
    if (untold !== 0) tell({ what: 'advance', entry, units: untold });
    untold = 0;
  };
  return {
    name,
    signal: controller.signal,
    advance(units) {
      if (controller.signal.aborted) throw controller.signal.reason;
      untold += units;
      timer ??= setTimeout(tellUnits, TELL_EVERY_MS).unref();
    },
    finish(status) {
      clearTimeout(timer);
      tellUnits();
      tell({ what: 'finish', entry, status });
    },
    cancel: () => controller.abort(new CancelledException(`The work called ${name} was cancelled.`, { context: { progress: name } })),
  };
};
