import type { FilePort } from '../../core/files.ts';
import { demandFile, demandGoing } from '../refusals.ts';
import { demandRoom } from './permission.ts';
import type { Planner } from './planner.ts';
import { copyOf } from './writing.ts';

/** Files that would share the disk space of others. */
export const createPlannedSharing = (planner: Planner): Pick<FilePort, 'share'> => ({
  async share(path, original, { how, signal }) {
    const source = planner.locate(original, { access: how === 'hardlink' ? 'write' : 'read', followLinks: false });
    const target = planner.locate(path, { access: 'write', followLinks: false });
    const seen = demandFile(await planner.look(source.real), source.shown);
    const there = demandFile(await planner.look(target.real), target.shown);
    demandGoing(signal, target.shown);
    demandRoom(planner, target);
    planner.budget?.remove?.(1);
    planner.record('read', source.shown, { bytes: seen.size, seen });
    planner.record('overwrite', target.shown, { bytes: seen.size, seen: there });
    const looks = how === 'hardlink' ? seen : there;
    planner.tree.put(target.real, {
      kind: 'file',
      ...copyOf(seen, { keepMetadata: true }),
      mode: looks.mode & 0o777,
      mtimeMs: looks.mtimeMs,
    });
  },
});
