import type { FilePort } from '../../../core/files.ts';
import { kindOf } from '../../entry.ts';
import type { Spot } from '../../place.ts';
import { atSource, demandApart, demandDir, demandReplaceable } from '../../refusals.ts';
import { type Disk, demandParent, lookAt } from '../disk.ts';
import { arrive } from '../parents.ts';
import { entryAt } from '../reading.ts';
import { growTree } from './grow-tree.ts';
import { mergeTree } from './merge-tree.ts';

/** Whole trees: new ones appear at once, existing ones are merged into. */
export const createTrees = (disk: Disk): Pick<FilePort, 'copyTree'> => ({
  copyTree: (from, to, options) =>
    disk.at(from, { access: 'read', missing: 'directory' }, (leaving, shownFrom) => {
      demandDir(entryAt(leaving, shownFrom), shownFrom);
      const copyTo = async (spot: Spot, shown: string): Promise<void> => {
        const there = lookAt(spot);
        if (there === undefined) demandParent(spot, shown);
        demandApart(leaving.real, spot.real);
        disk.policy?.judgeTree(spot.real, 'write', shown);
        demandReplaceable('dir', there && kindOf(there), { path: shown });
        using directory = atSource(shownFrom, () => leaving.enter());
        const source = { directory, shown: shownFrom };
        const tell = () => disk.before(() => ({ kind: 'create', path: spot.real }));
        if (there === undefined) return await growTree(source, { spot, shown, tell }, { disk, ...options });
        using target = spot.enter();
        return await mergeTree({ source, target: { directory: target, shown } }, { disk, ...options });
      };
      const { durable = false } = options;
      return arrive(disk, to, { followLinks: true, durable }, () => disk.at(to, { access: 'write', missing: 'parent' }, copyTo));
    }),
});
