import { realpathSync } from 'node:fs';
import { sep } from 'node:path';
import { isAtOrBelow } from '../../lib/fs/lexical.ts';
import { sweepDirectory } from './leftovers/sweep-directory.ts';
import { sweepTree } from './leftovers/sweep-tree.ts';
import { type LeftRecord, openWriteRecords, type WriteRecords, type WrittenPlace } from './leftovers/write-records.ts';

export { sweepDirectory } from './leftovers/sweep-directory.ts';

/** Removes what killed processes left behind. */
export interface Sweeper {
  /**
   * Something is about to be written into a directory, or with `isTree` anywhere below it; call it before the first temporary file is made.
   * What a killed process is known to have left there is removed at once, anything else some time later.
   */
  touched(directory: string, how?: { readonly isTree: boolean }): void;
  /** Removes what killed processes are known to have left anywhere; answers how much that was. */
  sweepAll(): Promise<number>;
  /** Waits until what was known to be left where something was written is gone. */
  settled(): Promise<void>;
}

/** A process that ends sooner does not look for what nobody wrote down: it would pay for others. */
const DELAY_MS = 5000;
const MAX_DIRECTORIES = 10_000;
const NEVER = new AbortController().signal;

const sweepPlace = ({ directory, isTree }: WrittenPlace): Promise<number> =>
  isTree ? sweepTree(directory, { signal: NEVER }) : sweepDirectory(directory);

export interface SweeperOptions {
  readonly delayMs?: number;
  readonly sweep?: (directory: string) => Promise<unknown>;
  readonly records?: WriteRecords;
}

/** Sweeps each directory once in the life of the sweeper, at once where a killed process has worked there, else some seconds after the first write. */
export const createSweeper = ({
  delayMs = DELAY_MS,
  sweep = sweepDirectory,
  records = openWriteRecords(),
}: SweeperOptions = {}): Sweeper => {
  const seen = new Set<string>();
  const waiting: string[] = [];
  const underWay = new Set<Promise<unknown>>();
  /** Asked once: what processes leave later is found by those that start later. */
  let left: readonly LeftRecord[] | undefined;
  const sweptPlaces = new Set<WrittenPlace>();
  let isScheduled = false;

  const sweepWaiting = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      // Housekeeping: whatever fails here must not hurt anybody's command.
      await sweep(next).catch(() => {});
    }
    isScheduled = false;
  };

  const sweepLeft = async (record: LeftRecord, places: readonly WrittenPlace[]): Promise<number> => {
    let removed = 0;
    for (const place of places) {
      if (sweptPlaces.has(place)) continue;
      sweptPlaces.add(place);
      removed += await sweepPlace(place).catch(() => 0); // gone, or out of reach
    }
    if (record.places.every((place) => sweptPlaces.has(place))) record.forget();
    return removed;
  };

  const sweepKnown = (written: WrittenPlace): void => {
    left ??= records.left().filter(hasBegun);
    for (const record of left) {
      const places = record.places.filter((place) => !sweptPlaces.has(place) && doMeet(place, written));
      if (places.length === 0) continue;
      const work = sweepLeft(record, places).finally(() => underWay.delete(work));
      underWay.add(work);
    }
  };

  return {
    touched(directory, { isTree } = { isTree: false }) {
      const key = isTree ? `${directory}${sep}` : directory;
      if (seen.has(key) || seen.size >= MAX_DIRECTORIES) return;
      seen.add(key);
      const place = { directory: realOf(directory), isTree };
      records.note(place);
      sweepKnown(place);
      if (isTree) return;
      waiting.push(directory);
      if (isScheduled) return;
      isScheduled = true;
      setTimeout(() => void sweepWaiting(), delayMs).unref();
    },
    async sweepAll() {
      let removed = 0;
      for (const record of records.left()) removed += await sweepLeft(record, record.places);
      return removed;
    },
    async settled() {
      await Promise.all(underWay);
    },
  };
};

/** One that was killed before it had written down where it would begin has nothing to remove; its record goes. */
const hasBegun = ({ places, forget }: LeftRecord): boolean => {
  if (places.length === 0) forget();
  return places.length > 0;
};

/** Whether two places have a directory in common. */
const doMeet = (one: WrittenPlace, other: WrittenPlace): boolean =>
  one.directory === other.directory ||
  (one.isTree && isAtOrBelow(one.directory, other.directory, sep)) ||
  (other.isTree && isAtOrBelow(other.directory, one.directory, sep));

/** The path itself where it cannot be followed, which whoever writes there finds out. */
const realOf = (directory: string): string => {
  try {
    return realpathSync.native(directory);
  } catch {
    return directory;
  }
};

// One for the process: ports come and go with every run, but a directory needs sweeping only once.
export const houseSweeper = createSweeper();
