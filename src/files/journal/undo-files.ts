import type { Policy } from '../../access/policy.ts';
import { placeAnywhere, placeInside } from '../place.ts';
import { createRealFiles } from '../real.ts';
import { discardKept } from './discard.ts';
import { changesIn, type JournalEntry } from './inverse.ts';
import { createReverter } from './revert.ts';

/** Whoever undoes: with a policy it changes nothing that the policy does not let it change. */
interface Undoer {
  readonly policy?: Policy;
}

/** An entry of the store. */
interface Stored<S> extends JournalEntry {
  readonly number: number;
  readonly state: S;
}

/** The files of the house, for whoever undoes runs. */
export const undoFiles = {
  /** The changes in these entries, in their order. */
  stepsIn: <S>(entries: readonly Stored<S>[], { policy }: Undoer, signal: AbortSignal) => {
    const place = policy === undefined ? placeAnywhere : placeInside(policy);
    const files = createRealFiles({ cwd: '/', place, policy, budget: undefined });
    const revert = createReverter({ place, files, signal });
    return changesIn(entries).map(({ entry: { number, state }, change, left }) => ({
      number,
      state,
      path: change.path,
      async revert() {
        const outcome = await revert({ change, left });
        return outcome.isUndone ? undefined : outcome.reason;
      },
    }));
  },
  discard: discardKept,
};
