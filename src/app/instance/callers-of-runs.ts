import type { Sharer } from '../../access/shares.ts';
import { ExecuteActionException } from '../../core/errors.ts';
import type { RunBegun, RunObserver } from '../../core/ports.ts';

/** Whose runs are under way, so that what an action stores belongs to its caller. */
export interface CallersOfRuns {
  readonly observer: RunObserver;
  /** How many runs are under way. */
  readonly count: number;
  /** Undefined for a run that is not under way. */
  find(runId: string): string | undefined;
  /** Throws for a run that is not under way. */
  callerOf(runId: string): string;
  /** The same with what it may have of what is shared. */
  sharerOf(runId: string): Sharer;
  /** What a caller that has a run under way may have; undefined: the usual. */
  policyOf(caller: string): Sharer['policy'];
}

export const createCallersOfRuns = (): CallersOfRuns => {
  // Every run comes and goes here, few are asked for, and few are under way at once: so the runs themselves, not a table by id.
  // A set of them would be built anew all the time, so each knows its place.
  const underWay: RunBegun[] = [];
  const look = (runId: string): RunBegun | undefined => {
    for (const run of underWay) if (run.runId === runId) return run;
    return undefined;
  };
  const demand = (runId: string): RunBegun => {
    const run = look(runId);
    if (run === undefined) throw new ExecuteActionException(`The run ${runId} is not under way, so nothing can be stored for its caller.`);
    return run;
  };
  return {
    observer: {
      begun(run) {
        run.place = underWay.push(run) - 1;
      },
      ended(run) {
        const { place = -1 } = run;
        if (underWay[place] !== run) return;
        const last = underWay.pop();
        if (last === undefined || last === run) return;
        underWay[place] = last;
        last.place = place;
      },
    },
    get count() {
      return underWay.length;
    },
    find: (runId) => look(runId)?.caller,
    callerOf: (runId) => demand(runId).caller,
    policyOf(caller) {
      for (const run of underWay) if (run.caller === caller) return run.policy;
      return undefined;
    },
    sharerOf(runId) {
      const { caller: name, policy } = demand(runId);
      return { name, policy };
    },
  };
};
