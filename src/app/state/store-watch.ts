import type { Clock } from '../../core/ports.ts';
import { within } from '../../lib/async/within.ts';
import type { Store } from '../../services/engine/port.ts';

export interface StoreWatchParts {
  readonly store: Pick<Store, 'probe'>;
  readonly clock: Pick<Clock, 'monotonic'>;
}

/** However often somebody asks, the store is not tried more often than this. */
const EVERY_MS = 2_000;
/** Whoever asks waits no longer than this for a try that is under way. */
const PATIENCE_MS = 1_000;

/** Answers why the store takes nothing, where it does not. It is tried when somebody asks, with the smallest of writes. */
export const createStoreWatch = ({ store, clock }: StoreWatchParts): (() => Promise<string | undefined>) => {
  let trouble: string | undefined;
  let triedMs = Number.NEGATIVE_INFINITY;
  let trying: Promise<void> | undefined;

  const attempt = async (): Promise<void> => {
    try {
      await store.probe();
      trouble = undefined;
    } catch (fault) {
      trouble = fault instanceof Error ? fault.message : String(fault);
    } finally {
      trying = undefined;
    }
  };

  return async () => {
    const now = clock.monotonic();
    if (trying === undefined && now - triedMs >= EVERY_MS) {
      triedMs = now;
      trying = attempt();
    }
    if (trying !== undefined) await within(PATIENCE_MS, trying);
    // Another process may keep it locked: a list would wait as long.
    if (trying !== undefined && clock.monotonic() - triedMs >= PATIENCE_MS)
      return trouble ?? 'It does not answer; look for what keeps it busy.';
    return trouble;
  };
};
