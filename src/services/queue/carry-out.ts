import type { Caller } from '../../access/caller.ts';
import { FileAutomationException, type Json, QueueException } from '../../core/errors.ts';
import type { CommandObserver } from '../../core/ports/commands.ts';
import type { Clock, Log } from '../../core/ports.ts';
import type { RunResult } from '../../core/result.ts';
import type { RetryRule } from '../../core/retry.ts';
import type { SetTimer } from '../../lib/async/timer.ts';
import type { Claim, Settlement } from '../engine/port/engine.ts';
import type { Store } from '../engine/port.ts';
import { createPutAway } from './cut-short.ts';
import type { HeldRun } from './held-runs.ts';
import { createNews, type News } from './news.ts';
import type { Persist } from './persist.ts';
import { settlementOf } from './settlement.ts';
import type { Settle } from './settler.ts';
import { takenOver } from './taken-over.ts';

/** How a list of the store is handed to the pipeline. */
export interface RunCall {
  readonly caller: Caller;
  readonly runId: string;
  readonly source: string;
  readonly signal: AbortSignal;
  readonly named?: ReadonlyMap<string, unknown>;
  readonly commands: CommandObserver;
}

/** Runs a list; rejects only where it is refused as a whole. The gateway's `run` is one. */
export type RunList = (body: Json, call: RunCall) => Promise<RunResult>;

export interface CarryOutParts {
  readonly store: Pick<Store, 'nodes' | 'run' | 'queue'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly setTimer: SetTimer;
  readonly persist: Persist;
  readonly settle: Settle;
  readonly retry: RetryRule;
  readonly runList: RunList;
  callerOf(name: string): Caller | undefined;
  mask(value: unknown): unknown;
  /** The same for what came of a list, with the secrets that stand in it; left out: as `mask`. */
  maskFor?(request: unknown): (value: unknown) => unknown;
  random(): number;
}

/** What became of a run that was carried out here. */
export interface CarriedOut {
  readonly end: Settlement['end'];
  /** The result, or why the list was refused as a whole. */
  readonly outcome: RunResult | Error;
}

/** Runs what was claimed; gives undefined where somebody else has the run by now. Calls `onOver` when only the store is waited for. */
export type CarryOut = (run: HeldRun, onOver: () => void, as?: Caller) => Promise<CarriedOut | undefined>;

export const createCarryOut = (parts: CarryOutParts): CarryOut => {
  const { store, clock, log, setTimer, persist, settle, retry, runList, callerOf, mask, maskFor = () => mask, random } = parts;
  const putAway = createPutAway({ store, persist, settle });

  const demandCaller = ({ caller: name }: Claim): Caller => {
    const caller = callerOf(name);
    if (caller !== undefined) return caller;
    throw new QueueException(
      `Nobody here is called ${name}, so the run has no rights; give that caller its token back or submit it anew.`,
      {
        context: { caller: name },
      },
    );
  };

  /** The result, or why the list was refused as a whole. */
  const attempt = async ({ claim, signal, givenUp }: HeldRun, news: News, as: Caller | undefined): Promise<RunResult | Error> => {
    const { body, runId, source, options } = claim;
    try {
      news.takeOver(await persist(() => takenOver(store, claim), givenUp));
      const named = namedIn(options);
      return await runList(body, {
        caller: as ?? demandCaller(claim),
        runId,
        source,
        signal,
        commands: news,
        ...(named !== undefined && { named }),
      });
    } catch (fault) {
      return fault instanceof Error ? fault : new Error(String(fault));
    }
  };

  /** Asked only where it matters: most runs end well. */
  const hasAttemptsLeftAfter = async ({ claim, givenUp }: HeldRun, outcome: RunResult | Error): Promise<boolean> => {
    if (claim.source !== 'queue' || (!(outcome instanceof Error) && outcome.ok)) return false;
    const record = await persist(() => store.run(claim.runId), givenUp);
    return record !== null && claim.attempt < record.maxAttempts;
  };

  const tellRefusal = ({ runId }: Claim, fault: Error) => {
    const isOurs = !(fault instanceof FileAutomationException);
    log(isOurs ? 'error' : 'warn', `a queued run was refused: ${fault.message}`, { run_id: runId, ...(isOurs && { stack: fault.stack }) });
  };

  return async (run, onOver, as) => {
    const { claim, givenUp, stop } = run;
    const maskValue = maskFor(claim.body);
    const news = createNews({ store, claim, clock, setTimer, persist, givenUp, mask: maskValue, onLost: () => stop('lost') });
    const outcome = await attempt(run, news, as);
    onOver();
    if (outcome instanceof Error) tellRefusal(claim, outcome);
    if (run.stopReason === 'stopped' && !(outcome instanceof Error) && outcome.counts.cancelled > 0) {
      const end = await putAway(run, outcome, news);
      return end && { end, outcome };
    }
    const rest = await news.rest(outcome instanceof Error ? undefined : outcome);
    const hasAttemptsLeft = await hasAttemptsLeftAfter(run, outcome);
    if (run.stopReason === 'lost') return undefined;
    const settlement = settlementOf(claim, outcome, rest, { now: clock.now(), retry, random, hasAttemptsLeft, mask });
    return (await settle({ ...settlement, ...keptOf(claim, mask) })) ? { end: settlement.end, outcome } : undefined;
  };
};

/** What stays of the list: running it has told which of its arguments are secrets. */
const keptOf = ({ body }: Claim, mask: CarryOutParts['mask']): Pick<Settlement, 'kept'> => {
  const kept = mask(body) as Json; // masking keeps the shape
  return kept === body ? {} : { kept };
};

/** What references of the list may name beside the usual, as whoever submitted it has written. */
const namedIn = (options: Json): ReadonlyMap<string, unknown> | undefined => {
  if (typeof options !== 'object' || options === null || !('named' in options)) return undefined;
  const { named } = options;
  return typeof named === 'object' && named !== null ? new Map(Object.entries(named)) : undefined;
};
