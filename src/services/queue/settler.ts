import type { Settlement } from '../engine/port/engine.ts';
import type { RunId } from '../engine/port/runs.ts';
import type { Store } from '../engine/port.ts';
import type { Persist } from './persist.ts';

/** Settles one run; false where it is in other hands by now. */
export type Settle = (settlement: Settlement) => Promise<boolean>;

interface Waiting {
  readonly settlement: Settlement;
  resolve(isAccepted: boolean): void;
  reject(fault: unknown): void;
}

const MOST_AT_ONCE = 500;

export interface SettlerParts {
  readonly store: Pick<Store, 'settle'>;
  readonly persist: Persist;
  /** Fires when the store is not waited for any longer. */
  readonly signal: AbortSignal;
}

/** Settles in batches: what ends while one is on its way to the disk goes with the next. */
export const createSettler = ({ store, persist, signal }: SettlerParts): Settle => {
  const waiting: Waiting[] = [];
  let isBusy = false;

  const settleTogether = async (batch: readonly Waiting[]): Promise<void> => {
    const settlements = batch.map(({ settlement }) => settlement);
    const refused: ReadonlySet<RunId> = new Set((await persist(() => store.settle(settlements), signal)).refused);
    for (const { settlement, resolve } of batch) resolve(!refused.has(settlement.runId));
  };

  /** One settlement that the store cannot take keeps none of the others. */
  const settleAlone = async (each: Waiting): Promise<void> => {
    try {
      await settleTogether([each]);
    } catch (fault) {
      each.reject(fault);
    }
  };

  const work = async () => {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, MOST_AT_ONCE);
      try {
        await settleTogether(batch);
      } catch {
        for (const each of batch) await settleAlone(each);
      }
    }
    isBusy = false;
  };

  return (settlement) =>
    new Promise((resolve, reject) => {
      waiting.push({ settlement, resolve, reject });
      if (isBusy) return;
      isBusy = true;
      queueMicrotask(() => void work());
    });
};
