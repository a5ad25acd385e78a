import { join } from 'node:path';
import type { FilePort, Interruptible } from '../../core/files.ts';
import { demandDir, demandGoing, demandRemovable } from '../refusals.ts';
import type { Located, Planner } from './planner.ts';

/** What would go away. */
export const createPlannedRemoving = (planner: Planner): Pick<FilePort, 'remove' | 'removeTree'> => ({
  async remove(path) {
    const { shown, real } = planner.locate(path, { access: 'remove', followLinks: false });
    const seen = demandRemovable(await planner.look(real), shown);
    planner.record('delete', shown, { bytes: seen.size, seen });
    planner.tree.remove(real);
  },
  async removeTree(path, interruptible) {
    const located = planner.locate(path, { access: 'remove', followLinks: false });
    const { shown, real } = located;
    demandDir(await planner.look(real), shown);
    planner.demandNotRoot(real);
    planner.policy?.judgeTree(real, 'remove', shown);
    await empty(planner, located, interruptible);
    planner.record('delete', shown, {});
    planner.tree.remove(real);
  },
});

const empty = async (planner: Planner, { shown, real }: Located, interruptible: Interruptible): Promise<void> => {
  for (const { name, kind } of await planner.entries(real)) {
    const entry = { shown: join(shown, name), real: join(real, name) };
    demandGoing(interruptible.signal, entry.shown);
    const seen = await planner.look(entry.real);
    if (kind === 'dir') await empty(planner, entry, interruptible);
    planner.record('delete', entry.shown, { bytes: kind === 'dir' ? undefined : seen?.size, seen });
    planner.tree.remove(entry.real);
  }
};
