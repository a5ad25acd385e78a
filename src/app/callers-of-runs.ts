import { ExecuteActionException } from '../core/errors.ts';
import type { RunObserver } from '../core/ports.ts';

/** Whose runs are under way, so that what an action stores belongs to its caller. */
export interface CallersOfRuns {
  readonly observer: RunObserver;
  /** Undefined for a run that is not under way. */
  find(runId: string): string | undefined;
  /** Throws for a run that is not under way. */
  callerOf(runId: string): string;
}

export const createCallersOfRuns = (): CallersOfRuns => {
  const callers = new Map<string, string>();
  return {
    observer: {
      begun: ({ runId, caller }) => void callers.set(runId, caller),
      ended: ({ runId }) => void callers.delete(runId),
    },
    find: (runId) => callers.get(runId),
    callerOf(runId) {
      const caller = callers.get(runId);
      if (caller === undefined)
        throw new ExecuteActionException(`The run ${runId} is not under way, so nothing can be stored for its caller.`);
      return caller;
    },
  };
};
