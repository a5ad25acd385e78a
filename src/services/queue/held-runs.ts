import { CancelledException } from '../../core/errors.ts';
import type { Clock } from '../../core/ports.ts';
import type { Claim, Engine } from '../engine/port/engine.ts';
import type { RunId } from '../engine/port/runs.ts';

/** Why a run is to end early: somebody wants it, the service stops, or it is in other hands. */
export type StopReason = 'cancelled' | 'stopped' | 'lost';

/** A run in our hands. */
export interface HeldRun {
  readonly claim: Claim;
  /** Fires when the run is to end. */
  readonly signal: AbortSignal;
  /** Fires when nothing of it matters any more. */
  readonly givenUp: AbortSignal;
  readonly stopReason: StopReason | undefined;
  stop(reason: StopReason): void;
}

const MESSAGES: Readonly<Record<StopReason, string>> = {
  cancelled: 'The run was cancelled.',
  stopped: 'The service stops.',
  lost: 'The run is in other hands by now.',
};

/** The runs in our hands, and the signs of life that keep them there. */
export interface HeldRuns {
  readonly size: number;
  get(runId: RunId): HeldRun | undefined;
  all(): readonly HeldRun[];
  hold(claim: Claim): HeldRun;
  drop(run: HeldRun): void;
  /** Keeps all runs for another lease. Those that were lost or cancelled meanwhile are stopped. */
  beat(): Promise<void>;
  /**
   * The same, where the clock says that it is high time. To be called before runs are claimed: on a machine that slept, or whose clock was
   * set, those under way here would look as if their worker were gone.
   */
  beatIfLate(): Promise<void>;
}

export interface HeldRunsParts {
  readonly store: Pick<Engine, 'heartbeat'>;
  readonly clock: Clock;
  readonly leaseMs: number;
}

export const createHeldRuns = ({ store, clock, leaseMs }: HeldRunsParts): HeldRuns => {
  const runs = new Map<RunId, { readonly run: HeldRun; renewedMs: number }>();
  /** By the clock that leases are reckoned with. */
  let beatenAt = clock.now();

  /** Whoever could give no sign of life for a whole lease must reckon with somebody else having the run. */
  const stopExpired = () => {
    for (const { run, renewedMs } of runs.values()) if (clock.monotonic() - renewedMs > leaseMs) run.stop('lost');
  };

  const beat = async (): Promise<void> => {
    if (runs.size === 0) return;
    const asked = [...runs.values()];
    const sentMs = clock.monotonic();
    const sentAt = clock.now();
    try {
      const { lost, cancelled } = await store.heartbeat(
        asked.map(({ run }) => run.claim),
        leaseMs,
      );
      beatenAt = sentAt;
      for (const each of asked) each.renewedMs = sentMs;
      // Settled meanwhile, a run is not held any more, and the store no longer knows it as ours.
      for (const runId of lost) runs.get(runId)?.run.stop('lost');
      for (const runId of cancelled) runs.get(runId)?.run.stop('cancelled');
    } catch (fault) {
      stopExpired();
      throw fault;
    }
  };

  return {
    get size() {
      return runs.size;
    },
    get: (runId) => runs.get(runId)?.run,
    all: () => [...runs.values()].map(({ run }) => run),
    hold(claim) {
      const run = heldRun(claim);
      runs.set(claim.runId, { run, renewedMs: clock.monotonic() });
      return run;
    },
    drop(run) {
      const { runId } = run.claim;
      if (runs.get(runId)?.run === run) runs.delete(runId); // given back, it may be in our hands again already
    },
    beat,
    async beatIfLate() {
      if (Math.abs(clock.now() - beatenAt) > leaseMs / 2) await beat();
    },
  };
};

const heldRun = (claim: Claim): HeldRun => {
  const stopping = new AbortController();
  const givingUp = new AbortController();
  let stopReason: StopReason | undefined;
  return {
    claim,
    signal: stopping.signal,
    givenUp: givingUp.signal,
    get stopReason() {
      return stopReason;
    },
    stop(reason) {
      if (reason === 'lost' || stopReason === undefined) stopReason = reason;
      if (reason === 'lost') givingUp.abort();
      stopping.abort(new CancelledException(MESSAGES[reason]));
    },
  };
};
