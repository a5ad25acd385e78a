import { dirname } from 'node:path';
import type { FilePort } from '../../core/files.ts';
import { statAt } from '../entry.ts';
import { demandLinkTarget, noFile, notOurs, taken } from '../refusals.ts';
import { demandParents, ensurePlanned, planParents } from './parents.ts';
import { dirOver, type PlannedNode } from './planned-tree.ts';
import type { Planner, Seen } from './planner.ts';
import { copyOf } from './writing.ts';

/** Directories, links and marks that would be made. */
export const createPlannedMaking = (planner: Planner): Pick<FilePort, 'makeDir' | 'makeLink' | 'setTimes' | 'setMode'> => {
  const { tree } = planner;

  const mark = async (path: string, changed: { readonly mtimeMs?: number; readonly mode?: number }): Promise<void> => {
    const located = planner.locate(path, { access: 'write' });
    const { shown, real, touched } = located;
    const seen = await planner.look(real);
    if (seen === undefined) throw noFile(shown);
    planner.record('overwrite', touched, { bytes: seen.kind === 'file' ? seen.size : undefined, seen });
    const node = marked(seen, changed);
    if (node !== undefined && dirname(real) !== real) tree.put(real, node);
  };

  return {
    async makeDir(path, { parents = false, isPrivate = false } = {}) {
      const located = planner.locate(path, { access: 'read', followLinks: !isPrivate });
      const isMade = await ensurePlanned(planner, located, { parents });
      if (isPrivate && !isMade) demandOurs(await planner.look(located.real), located.shown);
      return isMade;
    },
    async makeLink(path, target) {
      const located = planner.locate(path, { access: 'write', followLinks: false });
      const { shown, real } = located;
      const there = await planner.look(real);
      if (there === undefined) await demandParents(planner, located);
      demandLinkTarget(target, shown);
      planner.judgeLink(dirname(real), target);
      if (there !== undefined) throw taken(shown);
      await planParents(planner, located);
      planner.record('create', shown, {});
      tree.put(real, { kind: 'link', target, mtimeMs: planner.now() });
    },
    setTimes: (path, { mtimeMs }) => mark(path, { mtimeMs }),
    setMode: (path, mode) => mark(path, { mode }),
  };
};

/** What is private is put into no directory of somebody else. */
const demandOurs = (seen: Seen | undefined, shown: string): void => {
  const us = process.getuid?.();
  const source = seen?.node.kind === 'disk' ? seen.node.path : seen?.node.kind === 'dir' ? seen.node.source : undefined;
  if (us !== undefined && source !== undefined && statAt(source)?.uid !== us) throw notOurs(shown);
};

/** The same with other marks; undefined for kinds that a plan does not follow further. */
export const marked = (
  seen: Seen,
  { mtimeMs = seen.mtimeMs, mode = seen.mode }: Partial<Pick<Seen, 'mtimeMs' | 'mode'>>,
): PlannedNode | undefined => {
  const looks = { mtimeMs, mode };
  const { node } = seen;
  if (seen.kind === 'file') return { kind: 'file', ...copyOf(seen, { keepMetadata: true }), ...looks };
  if (node.kind === 'dir') return { ...node, ...looks };
  return seen.kind === 'dir' && node.kind === 'disk' ? dirOver(node.path, looks) : undefined;
};
