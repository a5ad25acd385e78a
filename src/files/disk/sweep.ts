import { lstatSync, type Stats, unlinkSync } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { openDirectory } from '../../lib/fs/handles.ts';
import { isAlive, ownerOfPart, type PartOwner, readOwner } from '../../lib/fs/part-name.ts';
import { resolvePath } from '../../lib/fs/resolve.ts';
import { spotIn } from '../place.ts';
import { discardTree } from './tree/discard-tree.ts';

/** Removes what killed processes left behind, in the background of later writes. */
export interface Sweeper {
  /** Something was written into this directory. */
  touched(directory: string): void;
}

const HOUR_MS = 60 * 60 * 1000;
/** For owners that cannot be asked: another machine on a shared disk, a container that is gone. */
const WEEK_MS = 7 * 24 * HOUR_MS;
/** A process that ends sooner sweeps nothing: it would pay for others. */
const DELAY_MS = 5000;
const MAX_DIRECTORIES = 10_000;
const MAX_ENTRIES = 200_000;

/** Sweeps each directory once in the life of the sweeper, some seconds after the first write into it. */
export const createSweeper = ({ delayMs = DELAY_MS, sweep = sweepDirectory } = {}): Sweeper => {
  const seen = new Set<string>();
  const waiting: string[] = [];
  let isScheduled = false;

  const sweepWaiting = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      // Housekeeping: whatever fails here must not hurt anybody's command.
      await sweep(next).catch(() => {});
    }
    isScheduled = false;
  };

  return {
    touched(directory) {
      if (seen.has(directory) || seen.size >= MAX_DIRECTORIES) return;
      seen.add(directory);
      waiting.push(directory);
      if (isScheduled) return;
      isScheduled = true;
      setTimeout(() => void sweepWaiting(), delayMs).unref();
    },
  };
};

/** Removes the leftovers directly in a directory. */
export const sweepDirectory = async (path: string, { now = Date.now() } = {}): Promise<void> => {
  using directory = openDirectory(resolvePath(path), []);
  const self = readOwner();
  let entries = 0;
  for await (const { name } of await opendir(directory.address(), { bufferSize: 256 })) {
    entries += 1;
    if (entries > MAX_ENTRIES) return;
    const owner = ownerOfPart(name);
    if (owner === undefined) continue;
    const spot = spotIn(directory, name, { isGuarded: false });
    const stats = lstatSync(spot.at, { throwIfNoEntry: false });
    if (stats === undefined || !isLeftOver(stats, { owner, self, now })) continue;
    if (stats.isDirectory()) await discardTree(spot, pause);
    else unlinkSync(spot.at);
  }
};

const pause = () => new Promise<void>((go) => void setImmediate(go));

/** Ours, old, and of an owner that is dead or, where that cannot be known, of a very long time ago. */
const isLeftOver = (
  stats: Stats,
  { owner, self, now }: { readonly owner: PartOwner; readonly self: PartOwner; readonly now: number },
): boolean => {
  if (process.getuid !== undefined && stats.uid !== process.getuid()) return false;
  const ageMs = now - Math.max(stats.mtimeMs, stats.ctimeMs);
  if (owner.home !== self.home) return ageMs > WEEK_MS;
  return ageMs > HOUR_MS && !isAlive(owner, self);
};
