import type { Access, Grant } from '../../core/files.ts';
import { demandDir } from '../refusals.ts';
import type { Disk } from './disk.ts';
import { entryAt } from './reading.ts';

/** Slots of the shared counters: stop flag, files done, bytes done (low and high half). */
const COUNTER_SLOTS = 4;

/** Judges a root for bulk work before any of it starts. */
export const grantFor = (disk: Disk, root: string, { access }: { readonly access: Access }): Promise<Grant> =>
  disk.at(root, { access, missing: 'directory' }, (spot, shown) => {
    demandDir(entryAt(spot, shown), shown);
    // What is shut is left out of looking around, but nothing is changed around it.
    if (access !== 'read') disk.policy?.judgeTree(spot.real, access, shown);
    if (access === 'write') disk.sweeper.touched(spot.real, { isTree: true });
    return {
      root: spot.real,
      access,
      byHandles: disk.policy !== undefined,
      ...(disk.policy !== undefined && { shut: disk.policy.shutBelow(spot.real) }),
      isFree: !disk.hasBudget && !disk.countsDeletes && !disk.hasJournal,
      dry: false,
      counters: new SharedArrayBuffer(COUNTER_SLOTS * Int32Array.BYTES_PER_ELEMENT),
    };
  });
