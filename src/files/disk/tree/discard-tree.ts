import { chmodSync, rmdirSync } from 'node:fs';
import { type Spot, slotOf } from '../../place.ts';
import { type Emptying, emptyDirectory } from './empty-directory.ts';

const NEVER = new AbortController().signal;

/** Removes a tree of ours that did not get its name. Never fails: what cannot go now is swept later. */
export const discardTree = async (spot: Spot, giveWay: Emptying['giveWay']): Promise<void> => {
  try {
    const slot = slotOf(spot);
    chmodSync(slot, 0o700);
    {
      using directory = spot.enter();
      await emptyDirectory({ directory, shown: spot.real }, { signal: NEVER, isOurs: true, giveWay });
    }
    rmdirSync(slot);
  } catch {
    // gone already, or left for the sweeper
  }
};
