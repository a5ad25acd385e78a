import { mkdirSync, unlinkSync } from 'node:fs';
import { newPartName } from '../../../lib/fs/part-name.ts';
import { statAt } from '../../entry.ts';
import { type Spot, slotOf, spotIn } from '../../place.ts';
import type { Disk } from '../disk.ts';
import { discardTree } from '../tree/discard-tree.ts';

/**
 * Makes something under a temporary name beside where it will stand; what is left of it when the work ends goes. The superuser gives
 * things to others while they are made, and only what belongs to whoever made it is swept after a kill: so it works in a directory of its own.
 */
export const besideTarget = async <T>(disk: Disk, target: Spot, work: (aside: Spot) => Promise<T>): Promise<T> => {
  disk.sweeper.touched(target.parent);
  const part = target.beside(newPartName());
  if (process.geteuid?.() !== 0) return discarding(disk, part, () => work(part));
  mkdirSync(slotOf(part), 0o700);
  return discarding(disk, part, async () => {
    using directory = part.enter();
    return await work(spotIn(directory, 'arriving', { isGuarded: target.isGuarded }));
  });
};

const discarding = async <T>(disk: Disk, part: Spot, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } finally {
    const there = statAt(part.at);
    if (there?.isDirectory()) await discardTree(part, disk.giveWay);
    else if (there !== undefined) unlinkSync(slotOf(part));
  }
};
