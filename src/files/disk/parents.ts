import { rmdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DirNotExistsException } from '../../core/errors.ts';
import { realPathOf, slotOf } from '../place.ts';
import { faultAt } from '../refusals.ts';
import { ensureDirectory } from './directories.ts';
import type { Disk } from './disk.ts';
import { openToSync } from './file/sync-directory.ts';

/** How something new gets its place. */
export interface Arrival {
  readonly followLinks: boolean;
  /** The names of directories that are made for it are synced too. */
  readonly durable: boolean;
  /** Refuse where its directory is missing. */
  readonly needsDirectory?: boolean | undefined;
}

/** Directories that were made for something new. */
export interface MadeParents {
  /** Takes them away again, because nothing came to stand in them; what others have put there stays. */
  takeBack(): void;
}

const NOT_NEEDED: MadeParents = { takeBack() {} };

/** As many as others may take a directory away between its making and its use. */
const MAX_TRIES = 5;

/**
 * Makes something new at a path. Directories above it that are missing are made first, and go again where the work fails. Nobody looks for
 * them beforehand: mostly they are there, and the work itself says when they are not. It may be called again then, so it must have left
 * nothing behind when it refuses the directory.
 */
export const arrive = async <T>(
  disk: Disk,
  path: string,
  { followLinks, durable, needsDirectory = false }: Arrival,
  work: (made: MadeParents) => Promise<T>,
): Promise<T> => {
  const shown = disk.absolute(path);
  let made = NOT_NEEDED;
  for (let tries = 1; ; tries += 1) {
    try {
      return await work(made);
    } catch (fault) {
      made.takeBack();
      if (needsDirectory || tries === MAX_TRIES || !isParentMissing(fault, shown)) throw fault;
    }
    made = await makeParents(disk, shown, { followLinks, durable });
  }
};

const isParentMissing = (fault: unknown, shown: string): boolean =>
  fault instanceof DirNotExistsException && fault.context.path === dirname(shown);

const makeParents = async (disk: Disk, shown: string, { followLinks, durable }: Pick<Arrival, 'followLinks' | 'durable'>) => {
  const made: string[] = [];
  const takeBack = () => {
    for (let real = made.pop(); real !== undefined; real = made.pop()) removeEmpty(disk, real);
  };
  try {
    const parent = dirname(realPathOf(shown, { followLinks }));
    await ensureDirectory(disk, parent, { shown: parent, parents: true, onMade: (real) => made.push(real) });
    if (durable) for (const real of made) await syncName(real);
    return { takeBack };
  } catch (fault) {
    takeBack();
    throw faultAt(fault, { path: dirname(shown), missing: 'directory' });
  }
};

const syncName = async (real: string): Promise<void> => {
  using above = openToSync(dirname(real));
  await above?.sync();
};

const removeEmpty = (disk: Disk, real: string): void => {
  try {
    using spot = disk.place(real, { access: 'write', followLinks: false, isResolved: true });
    rmdirSync(slotOf(spot));
  } catch {
    // somebody uses it now; what the work failed of is the better news
  }
};
