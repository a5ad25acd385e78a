import type { Stats } from 'node:fs';
import type { MissingAttribute } from '../../../lib/fs/carry-over.ts';
import type { TreeWork } from '../tree/each-entry.ts';
import type { Losses } from './losses.ts';

/** A tree on its way to another device: what is known of it beside its copy. */
export interface Crossing {
  readonly work: TreeWork;
  readonly losses: Losses;
  readonly seen: SeenSources;
}

/** Files of a source as they were when they were copied. */
export interface SeenSources {
  /** Remembers a file that is about to be copied; answers with the copy of the same file under another of its names, if there is one. */
  meet(stats: Stats, copy: string): string | undefined;
  /** Whether nobody has touched a file since. */
  isUnchanged(stats: Stats): boolean;
  /** We have removed one of its names, which is a change of the file. */
  loosened(stats: Stats): void;
}

interface SeenSource {
  readonly ctimeMs: number;
  readonly mtimeMs: number;
  readonly size: number;
  /** The first copy of a file with several names. */
  readonly copy: string | undefined;
  isLoose: boolean;
}

export const createSeenSources = (): SeenSources => {
  const seen = new Map<string, SeenSource>();
  return {
    meet(stats, copy) {
      const known = seen.get(keyOf(stats));
      if (known !== undefined && isSame(known, stats)) return known.copy;
      const { ctimeMs, mtimeMs, size, nlink } = stats;
      seen.set(keyOf(stats), { ctimeMs, mtimeMs, size, copy: nlink > 1 ? copy : undefined, isLoose: false });
      return undefined;
    },
    isUnchanged(stats) {
      const known = seen.get(keyOf(stats));
      return known !== undefined && isSame(known, stats);
    },
    loosened(stats) {
      const known = seen.get(keyOf(stats));
      if (known !== undefined) known.isLoose = true;
    },
  };
};

const keyOf = ({ dev, ino }: Stats): string => `${dev}:${ino}`;

/** The time of the last change tells of everything, unless we have made one. */
const isSame = ({ ctimeMs, mtimeMs, size, isLoose }: SeenSource, stats: Stats): boolean =>
  stats.size === size && stats.mtimeMs === mtimeMs && (isLoose || stats.ctimeMs === ctimeMs);

/** What a missing attribute is called. */
export const nameOfMissing = ({ attribute }: MissingAttribute): 'access_list' | 'attribute' =>
  attribute.startsWith('system.') ? 'access_list' : 'attribute';
