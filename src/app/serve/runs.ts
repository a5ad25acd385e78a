import type { Caller } from '../../access/caller.ts';
import type { Shares } from '../../access/shares.ts';
import { type Json, PolicyException } from '../../core/errors.ts';
import type { Runs } from '../../core/ports/runs.ts';
import type { RunFacts, RunSource } from '../../services/engine/port/runs.ts';
import type { Store } from '../../services/engine/port.ts';
import type { Dispatcher } from '../../services/queue/dispatcher.ts';
import type { Undo } from '../../services/undo/undo.ts';
import { shownRun } from '../state/shown-run.ts';

export interface RunsParts {
  readonly store: Pick<Store, 'run' | 'head' | 'runs' | 'events'>;
  readonly dispatcher: Pick<Dispatcher, 'runNow' | 'cancel' | 'resume'>;
  readonly undo: Pick<Undo, 'undo'>;
  readonly shares: Pick<Shares, 'take'>;
  /** Takes secrets out of what is shown. */
  mask(value: unknown): unknown;
  /** Throws what the gateway would refuse the list with, before it is taken. */
  admit(request: unknown, caller: Caller): void | Promise<void>;
}

/** The runs of a serving instance: kept in its store, run by its dispatcher. */
export const createRuns = ({ store, dispatcher, undo, shares, mask, admit }: RunsParts): Runs<Caller> => ({
  async start(request, { caller, source, key, signal, isAwaited = false }) {
    // Whoever waits for the answer has a request under way, which is counted at the door.
    const giveBack = isAwaited ? NOTHING : shares.take(caller, 'maxBackground');
    const { submitted, result } = await untilOver(giveBack, async () => {
      await admit(request, caller);
      return dispatcher.runNow(
        {
          source: source as RunSource, // doors name themselves in the words of the store
          caller: caller.name,
          body: request as Json, // what was let in is JSON
          ...labelOf(request),
          ...(key !== undefined && { key }),
        },
        caller,
      );
    });
    const { runId, isDuplicate, isSameBody } = submitted;
    if (result !== undefined) signal?.addEventListener('abort', () => void dispatcher.cancel(runId), { once: true });
    return { runId, isDuplicate, isSameBody, ...(result !== undefined && { finished: result }) };
  },
  get: async (runId) => shownRun(await store.run(runId), mask),
  head: store.head,
  list: store.runs,
  events: store.events,
  cancel: dispatcher.cancel,
  resume: async (runId, { from }) => ({ runId: await dispatcher.resume(runId, from) }),
  async undo(undone, { caller }) {
    demandFree(caller, undone);
    const { runId } = await untilOver(shares.take(caller, 'maxBackground'), async () => {
      const { runId: undoing, finished } = await undo.undo(undone, caller);
      return { runId: undoing, result: finished };
    });
    return { runId };
  },
});

const NOTHING = (): void => {};

/** Begins a run and gives back what was counted for it when it is over, or where it never begins. */
const untilOver = async <T extends { readonly result?: Promise<unknown> }>(giveBack: () => void, begin: () => Promise<T>): Promise<T> => {
  try {
    const begun = await begin();
    if (begun.result === undefined) giveBack();
    else void begun.result.then(giveBack, giveBack); // how it ended says its record
    return begun;
  } catch (fault) {
    giveBack();
    throw fault;
  }
};

/** Undoing deletes and replaces files, and has no plan that somebody could say yes to. */
const demandFree = ({ policy }: Caller, runId: string): void => {
  if (policy === undefined || policy.requireApproval === 'none') return;
  throw new PolicyException(`This caller may change nothing without a yes; have the owner run \`factotum undo ${runId}\`.`, {
    context: { rule: 'require_approval', run_id: runId },
  });
};

/** What lists of the history show of a request. */
const labelOf = (request: unknown): Pick<RunFacts, 'name' | 'mode' | 'isDryRun' | 'planHash'> => {
  if (typeof request !== 'object' || request === null || Array.isArray(request)) return {};
  const { name, mode, dry_run, nodes, expect_plan } = request as { readonly [key: string]: unknown }; // an object
  return {
    ...(typeof name === 'string' && { name }),
    ...(nodes !== undefined ? { mode: 'graph' } : typeof mode === 'string' && { mode }),
    ...(dry_run === true && { isDryRun: true }),
    ...(typeof expect_plan === 'string' && { planHash: expect_plan }),
  };
};
