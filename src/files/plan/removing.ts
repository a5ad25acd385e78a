import { join } from 'node:path';
import type { FilePort, Interruptible } from '../../core/files.ts';
import { demandDir, demandGoing, demandRemovable, holdsOwnPlace } from '../refusals.ts';
import { demandOpen, demandRoom } from './permission.ts';
import { type Located, type Planner, toldBelow } from './planner.ts';

/** What would go away. */
export const createPlannedRemoving = (planner: Planner): Pick<FilePort, 'remove' | 'removeTree'> => ({
  async remove(path, { isNew = false, isOwn = isNew } = {}) {
    const located = planner.locate(path, { access: 'remove', followLinks: false });
    const { shown, real } = located;
    const seen = demandRemovable(await planner.look(real), shown);
    demandRoom(planner, located);
    if (!isOwn) planner.budget?.remove?.(1);
    planner.record('delete', shown, { bytes: seen.size, seen });
    planner.tree.remove(real);
  },
  async removeTree(path, { signal, isNew = false, isOwn = isNew }) {
    const located = planner.locate(path, { access: 'remove', followLinks: false });
    const { shown, real } = located;
    demandDir(await planner.look(real), shown);
    planner.demandNotRoot(real);
    planner.policy?.judgeTree(real, 'remove', shown);
    demandRoom(planner, located);
    if (!isOwn) await countPlanned(planner, located);
    await empty(planner, located, { signal });
    planner.demandNothingKept(real);
    planner.record('delete', shown, {});
    planner.tree.remove(real);
  },
});

/** Takes from the budget what would be deleted below a path, or the file there. */
export const countPlanned = async (planner: Planner, { real }: Pick<Located, 'real'>): Promise<void> => {
  if (planner.budget?.remove !== undefined) planner.budget.remove(await filesAt(planner, real));
};

const filesAt = async (planner: Planner, real: string): Promise<number> => {
  if ((await planner.look(real))?.kind !== 'dir') return 1;
  let count = 0;
  const unreadable = () => {
    count += 1; // without a name as text, but it goes all the same
  };
  for (const { name } of await planner.entries(real, { bypass: { unreadable } })) count += await filesAt(planner, join(real, name));
  return count;
};

const empty = async (planner: Planner, { shown, real }: Pick<Located, 'shown' | 'real'>, interruptible: Interruptible): Promise<void> => {
  const place = planner.ownPlaceIn(real);
  if (place !== undefined) throw holdsOwnPlace(join(shown, place));
  const unreadable = (path: string) => planner.record('delete', path, {});
  const entries = await planner.entries(real, toldBelow(shown, { unreadable }));
  if (entries.length > 0) demandOpen(planner, real, shown);
  for (const { name, kind } of entries) {
    const entry = { shown: join(shown, name), real: join(real, name) };
    demandGoing(interruptible.signal, entry.shown);
    const seen = await planner.look(entry.real);
    if (kind === 'dir') await empty(planner, entry, interruptible);
    planner.record('delete', entry.shown, { bytes: kind === 'dir' ? undefined : seen?.size, seen });
    planner.tree.remove(entry.real);
  }
};
