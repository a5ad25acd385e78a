import { dirname } from 'node:path';
import type { FilePort } from '../core/files.ts';
import { type Foresight, NotYetKnown } from '../core/planning.ts';
import { deviceRoom } from '../lib/fs/device-room.ts';
import { createCovering } from './plan/covering.ts';
import { createPlannedEditing } from './plan/editing.ts';
import { createPlannedMaking } from './plan/making.ts';
import { createPlannedMoving } from './plan/moving.ts';
import { createPlannedTree, type PlannedTree } from './plan/planned-tree.ts';
import { createPlanner, type PlanningOptions } from './plan/planner.ts';
import { createPlannedReading } from './plan/reading.ts';
import { createPlannedRemoving } from './plan/removing.ts';
import { createPlannedSharing } from './plan/sharing.ts';
import { createPlannedTrees } from './plan/trees.ts';
import { createPlannedWriting } from './plan/writing.ts';
import { demandDir } from './refusals.ts';
import { walkTree } from './walk.ts';

// A nested list with a budget of its own has a port of its own, but plans on the same tree: that of its dry run.
const treeOf = new WeakMap<Foresight, PlannedTree>();

const treeFor = (foresight: Foresight): PlannedTree => {
  const { forkedFrom } = foresight;
  const tree = treeOf.get(foresight) ?? (forkedFrom === undefined ? createPlannedTree() : treeFor(forkedFrom).copy());
  treeOf.set(foresight, tree);
  return tree;
};

/**
 * The port of a dry run: reads fall through to the disk, changes land in a tree over it and are recorded as effects,
 * so later commands see what earlier ones would do. Nothing on the disk is ever changed.
 */
export const createPlanningFiles = (options: PlanningOptions): FilePort => {
  const { real: disk, foresight, policy } = options;
  const tree = treeFor(foresight);
  const planner = createPlanner(options, tree);
  const reading = createPlannedReading(planner);
  return {
    absolute: disk.absolute,
    undoLimits: options.undoLimits,
    roomAt: (path) => deviceRoom(dirname(path)),
    ...reading,
    walk: (path, interruptible) => walkTree({ absolute: disk.absolute, list: reading.list, listInner: reading.list }, path, interruptible),
    ...createPlannedWriting(planner),
    ...createPlannedEditing(planner, reading),
    ...createPlannedMoving(planner),
    ...createPlannedRemoving(planner),
    ...createPlannedMaking(planner),
    ...createPlannedSharing(planner),
    ...createPlannedTrees(planner),
    ...createCovering(planner),
    /** Bulk work looks at the disk itself, so it can only be planned where the disk is still true. */
    async grant(root, access) {
      const { shown, real } = planner.locate(root, { access });
      const { node } = demandDir(await planner.look(real), shown);
      if (access !== 'read') policy?.judgeTree(real, access, shown);
      if (node.kind !== 'disk' || node.path !== real) throw new NotYetKnown(`what ${shown} holds after the commands before`);
      return { ...(await disk.grant(real, access)), dry: true };
    },
  };
};
