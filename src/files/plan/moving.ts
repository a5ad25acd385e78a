import { dirname, join } from 'node:path';
import type { FilePort } from '../../core/files.ts';
import { pathAfterMove, type TreeMove } from '../moved-link.ts';
import { demandApart, demandGoing, demandReplaceable, noFile, notEmpty } from '../refusals.ts';
import { spendAcross } from './across.ts';
import { digestOf } from './covering.ts';
import { demandParents, planParents } from './parents.ts';
import { demandOpen, demandRoom } from './permission.ts';
import type { Located, Planner, Seen } from './planner.ts';
import { countPlanned } from './removing.ts';

/** Moves that would happen. */
export const createPlannedMoving = (planner: Planner): Pick<FilePort, 'move'> => ({
  async move(source, target, { signal, exclusive = false, isDeletion = false }) {
    const from = planner.locate(source, { access: 'remove', followLinks: false });
    const moved = await planner.look(from.real);
    if (moved === undefined) throw noFile(from.shown);
    planner.demandNotRoot(from.real);
    demandRoom(planner, from);
    if (moved.kind === 'dir') planner.policy?.judgeTree(from.real, 'remove', from.shown);
    const to = planner.locate(target, { access: 'write', followLinks: false });
    const there = await planner.look(to.real);
    if (there === undefined) await demandParents(planner, to);
    if (from.real === to.real && !exclusive && moved.kind !== 'dir') return;
    await judge(planner, { from, to, moved, there, exclusive });
    if (moved.kind === 'dir') planner.demandNothingKept(from.real);
    demandGoing(signal, to.shown);
    demandRoom(planner, to);
    if (moved.kind === 'dir' && dirname(from.real) !== dirname(to.real)) demandOpen(planner, from.real, from.shown); // what is above it changes
    if (isDeletion) await countPlanned(planner, from);
    await spendAcross(planner, { from, to });
    const bytes = moved.kind === 'file' ? moved.size : undefined;
    if (moved.kind === 'dir') planner.foresight.cover(from.touched, (await digestOf(planner, from.real, { signal })).digest);
    if (there === undefined) await planParents(planner, to);
    else if (there.kind !== 'dir') planner.budget?.remove?.(1);
    planner.record('delete', from.shown, { bytes, seen: moved });
    planner.record(there === undefined ? 'create' : 'overwrite', to.shown, { bytes, seen: there });
    planner.tree.remove(from.real);
    planner.tree.put(to.real, moved.node);
  },
});

interface Move {
  readonly from: Located;
  readonly to: Located;
  readonly moved: Seen;
  readonly there: Seen | undefined;
  readonly exclusive: boolean;
}

const judge = async (planner: Planner, { from, to, moved, there, exclusive }: Move): Promise<void> => {
  planner.demandNotRoot(to.real);
  if (moved.kind === 'dir') {
    demandApart(from.real, to.real);
    planner.policy?.judgeTree(to.real, 'write', to.shown);
  }
  demandReplaceable(moved.kind, there?.kind, { path: to.shown, exclusive });
  if (there?.kind === 'dir' && (await planner.entries(to.real)).length > 0) throw notEmpty(to.shown);
  if (moved.kind === 'link' && planner.policy !== undefined)
    planner.judgeLink(dirname(to.real), await planner.textOfLink(moved, from.shown));
  if (moved.kind === 'dir' && planner.policy !== undefined && dirname(from.real) !== dirname(to.real))
    await judgeLinksBelow(planner, { from: from.real, to: to.real });
};

/** Links inside a tree count from where they stand. */
const judgeLinksBelow = async (planner: Planner, move: TreeMove, within: readonly string[] = []): Promise<void> => {
  const here = join(move.from, ...within);
  for (const { name, kind } of await planner.entries(here)) {
    const real = join(here, name);
    if (kind === 'dir') await judgeLinksBelow(planner, move, [...within, name]);
    if (kind !== 'link') continue;
    const seen = await planner.look(real);
    const path = seen && pathAfterMove(await planner.textOfLink(seen, real), within, move);
    if (path !== undefined) planner.judgeLink(dirname(path), path);
  }
};
