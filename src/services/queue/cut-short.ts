import type { ErrorRecord, Outcome, RunResult } from '../../core/result.ts';
import type { Settlement } from '../engine/port/engine.ts';
import type { CommandChange } from '../engine/port/runs.ts';
import type { Store } from '../engine/port.ts';
import type { HeldRun } from './held-runs.ts';
import type { News } from './news.ts';
import type { Persist } from './persist.ts';
import type { Settle } from './settler.ts';

export interface CutShortParts {
  readonly store: Pick<Store, 'nodes' | 'queue'>;
  readonly persist: Persist;
  readonly settle: Settle;
}

/** Puts a run away that the end of the service has cut short; tells how it was left, or undefined where somebody else has it by now. */
export type PutAway = (run: HeldRun, result: RunResult, news: News) => Promise<Settlement['end'] | undefined>;

/**
 * What had started and may not be repeated waits for a verdict. A run without such a command is given back, to be gone on with at the
 * next start: it has not failed, so that costs it no attempt.
 */
export const createPutAway =
  ({ store, persist, settle }: CutShortParts): PutAway =>
  async ({ claim, givenUp }, result, news) => {
    const { results, counts, duration_ms: durationMs } = result;
    const cut = results.filter(({ status }) => status === 'cancelled');
    // One that was never started has a reason instead of an error.
    const isUnsure = ({ index, error }: Outcome) => error !== undefined && news.isUnrepeatable(index);
    const asLeft = (outcome: Outcome): CommandChange => ({ index: outcome.index, state: isUnsure(outcome) ? 'indeterminate' : 'waiting' });
    const commands = [...(await news.rest(result)), ...cut.map(asLeft)];
    if (cut.some(isUnsure)) {
      const { runId, attempt, fence } = claim;
      const isAccepted = await settle({ runId, attempt, fence, commands, end: 'indeterminate', counts, durationMs, error: STOPPED });
      return isAccepted ? 'indeterminate' : undefined;
    }
    const { isAccepted } = await persist(() => store.nodes.record(claim, commands), givenUp);
    if (!isAccepted) return undefined;
    await persist(() => store.queue.nack(claim.itemId, { requeue: true, reason: STOPPED.message, delayMs: 0 }), givenUp);
    return 'retry';
  };

const STOPPED: ErrorRecord = {
  type: 'CancelledException',
  message: 'The service stopped before the run was over.',
  retryable: true,
  context: {},
};
