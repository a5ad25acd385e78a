import { lstatSync, rmdirSync, unlinkSync } from 'node:fs';
import { entryOf } from '../../entry.ts';
import { slotOf } from '../../place.ts';
import type { Disk } from '../disk.ts';
import { moveAside } from '../tree/move-aside.ts';
import type { Journey } from './move-across.ts';
import { isAllCopied, removeCopied } from './remove-copied.ts';

/** The copy is made, so that nothing ends the move any more. */
const NEVER = new AbortController().signal;

interface TakingAway {
  /** Its copy lacks something, so that only the source itself could be given back: where there is a journal, it is kept. */
  readonly isKept: boolean;
}

/** Removes what was moved to another device, after its copy has its name there. */
export const takeAway = async (disk: Disk, journey: Journey, { isKept }: TakingAway): Promise<void> => {
  const { leaving, arriving, from, to, moved, seen } = journey;
  const slot = slotOf(leaving);
  if (!moved.isDirectory()) {
    if (isKept) await disk.before(() => ({ kind: 'delete', path: leaving.real, entry: entryOf(leaving.real, lstatSync(slot)) }));
    return unlinkSync(slot);
  }
  {
    using source = leaving.enter();
    using target = arriving.enter();
    const pair = { source: { directory: source, shown: from }, target: { directory: target, shown: to } };
    if (isKept && disk.hasJournal && (await isAllCopied(pair, disk, seen))) {
      const fate = await moveAside(disk, { spot: leaving, directory: source, signal: NEVER });
      if (fate === 'gone') return;
    }
    await removeCopied(pair, disk, seen);
  }
  rmdirSync(slot);
};
