import { statSync } from 'node:fs';
import { holdOnMachine } from '../../../lib/process/machine-lock.ts';
import type { Spot } from '../../place.ts';

/**
 * Does the work while no other edit or append of the same file goes on, in any process of this machine. A file is known by its directory
 * and its name, whatever path leads there; names that some file systems take for one another share a turn.
 */
export const holdSpot = <T>(
  spot: Spot,
  { shown, signal }: { readonly shown: string; readonly signal: AbortSignal },
  work: () => Promise<T>,
): Promise<T> => {
  const { dev, ino } = statSync(spot.directory);
  return holdOnMachine(`${dev}:${ino}/${spot.name.normalize('NFC').toLowerCase()}`, { signal, shown }, work);
};
