import { type Stats, statSync } from 'node:fs';
import type { Withdraw } from '../../../core/journal.ts';
import { codeOf } from '../../../lib/fs/system-fault.ts';
import { holdOnMachine } from '../../../lib/process/machine-lock.ts';
import type { Spot } from '../../place.ts';
import { lookAt } from '../disk.ts';

/**
 * Does the work while no other edit or append of the same file goes on and nobody else moves or copies something onto it or throws it away,
 * in any process of this machine. A file is known by its directory and its name, whatever path leads there; names that some file systems
 * take for one another share a turn.
 */
export const holdSpot = <T>(
  spot: Spot,
  { shown, signal }: { readonly shown: string; readonly signal: AbortSignal },
  work: () => Promise<T>,
): Promise<T> => {
  const { dev, ino } = statSync(spot.directory);
  return holdOnMachine(`${dev}:${ino}/${spot.name.normalize('NFC').toLowerCase()}`, { signal, shown }, work);
};

/** As often as others may take a name and leave it again between a look and the work. */
const MOST_TRIES = 100;

export interface NameTaking {
  /** What a look has found at the spot. */
  readonly there: Stats | undefined;
  readonly shown: string;
  readonly signal: AbortSignal;
  /** Nothing is replaced, so nobody is waited for either. */
  readonly exclusive: boolean;
}

/**
 * Takes a name for something new. Where it is free nobody is waited for: the work takes it only while it is free, and otherwise fails with
 * EEXIST. What is replaced is what was looked at, because whoever replaces something waits for a turn and looks then.
 */
export const takeName = async (
  spot: Spot,
  { there, shown, signal, exclusive }: NameTaking,
  work: (there: Stats | undefined) => Promise<void>,
): Promise<void> => {
  if (exclusive) return work(there);
  if (there === undefined && !(await isTaken(() => work(undefined)))) return;
  await holdSpot(spot, { shown, signal }, async () => {
    for (let tries = 1; ; tries += 1) {
      const now = lookAt(spot);
      if (now !== undefined || tries === MOST_TRIES) return work(now);
      if (!(await isTaken(() => work(now)))) return;
    }
  });
};

/** Takes a name that must be free, of which the journal knows; it hears where others came first. */
export const takeFree = async (take: () => Promise<void>, withdraw: Withdraw | undefined): Promise<void> => {
  try {
    await take();
  } catch (fault) {
    if (codeOf(fault) === 'EEXIST') await withdraw?.();
    throw fault;
  }
};

const isTaken = async (work: () => Promise<void>): Promise<boolean> => {
  try {
    await work();
    return false;
  } catch (fault) {
    if (codeOf(fault) !== 'EEXIST') throw fault;
    return true;
  }
};
