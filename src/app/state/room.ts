import type { StoredShare, StoreOne } from '../../core/ports/room.ts';
import { createTurns } from '../../services/limits/turns.ts';

export interface RoomParts {
  /** Names the caller of a run that is under way; throws for any other. */
  callerOf(runId: string): string;
  /** How many a caller has stored. */
  readonly counts: { readonly [Share in StoredShare]: (caller: string) => Promise<number> };
  /** Throws where the caller of the run has this many and may have no more. */
  demand(runId: string, share: StoredShare, used: number): void;
}

/** Of each caller one after the other, so that two at once do not both take the last place. */
export const createRoom = ({ callerOf, counts, demand }: RoomParts): StoreOne => {
  const inTurn = createTurns();
  return async (share, { runId }, work) => {
    const caller = callerOf(runId);
    return inTurn(`${share}/${caller}`, async () => {
      demand(runId, share, await counts[share](caller));
      return work();
    });
  };
};
