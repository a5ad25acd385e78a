import { createHash, type Hash } from 'node:crypto';
import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import type { FilePort } from '../../core/files.ts';
import { giveWay, isSliceOver } from '../../lib/async/in-slices.ts';
import { withoutOwn } from '../../lib/fs/own-names.ts';
import { codeOf } from '../../lib/fs/system-fault.ts';
import { kindOf } from '../entry.ts';
import { demandDir, faultAt } from '../refusals.ts';
import type { PlannedNode } from './planned-tree.ts';
import type { Planner } from './planner.ts';

/** Trees that would be read as they are: one effect each, and the name of the plan covers everything below. */
export const createCovering = (planner: Planner): Pick<FilePort, 'coverTree'> => ({
  async coverTree(path, { signal, isDeep = true, bypass }) {
    const { shown, real, touched } = planner.locate(path, { access: 'read' });
    demandDir(await planner.look(real), shown);
    await planner.entries(real, { bypass: { unreadable() {} } }); // refuses what cannot be read at all; of single names it is for others to tell
    const onClosed = (below: string, fault: unknown) => {
      const closed = join(shown, below);
      bypass?.unreadable(closed, faultAt(fault, { path: closed }));
    };
    const { digest, bytes } = await digestOf(planner, real, { signal, isDeep, onClosed });
    planner.record('read', touched, { bytes });
    planner.foresight.cover(touched, digest);
  },
});

interface Tree {
  readonly digest: string;
  readonly bytes: number;
}

interface Walk {
  readonly planner: Planner;
  readonly signal: AbortSignal;
  readonly isDeep: boolean;
  /** Told of directories that cannot be read, by their path from the root. */
  readonly onClosed: ((relative: string, fault: unknown) => void) | undefined;
  readonly hash: Hash;
  bytes: number;
  count: number;
}

/** Sums up names, kinds, sizes and times of what is below a directory; what the plan itself has put there counts by its name. */
export const digestOf = async (
  planner: Planner,
  real: string,
  { signal, isDeep = true, onClosed }: { readonly signal: AbortSignal; readonly isDeep?: boolean; readonly onClosed?: Walk['onClosed'] },
): Promise<Tree> => {
  const walk: Walk = { planner, signal, isDeep, onClosed, hash: createHash('sha256'), bytes: 0, count: 0 };
  await digestBelow(walk, planner.tree.find(real), real, '');
  return { digest: walk.hash.digest('hex'), bytes: walk.bytes };
};

const digestBelow = async (walk: Walk, node: PlannedNode | undefined, real: string, relative: string): Promise<void> => {
  const shut = walk.planner.policy?.shutBelow(real).paths ?? [];
  for (const [name, child] of childrenOf(node, (fault) => walk.onClosed?.(relative, fault))) {
    if (shut.includes(name)) continue;
    walk.count += 1;
    if (isSliceOver(walk.count)) await giveWay(walk.signal);
    const below = relative === '' ? name : `${relative}/${name}`;
    if (!digestOne(walk, child, below)) continue;
    if (walk.isDeep) await digestBelow(walk, child, join(real, name), below);
  }
};

/** Tells whether it is a directory. */
const digestOne = (walk: Walk, node: PlannedNode, relative: string): boolean => {
  if (node.kind !== 'disk') {
    walk.hash.update(`${relative}\0planned ${node.kind}\0`);
    return node.kind === 'dir';
  }
  const stats = statOf(node.path);
  if (stats === undefined) return false;
  const isDirectory = stats.isDirectory();
  // A directory changes with what comes into it, and all of that is here.
  walk.hash.update(`${relative}\0${kindOf(stats)}\0${isDirectory ? '' : `${stats.size}:${stats.mtimeMs}`}\0`);
  if (stats.isFile()) walk.bytes += stats.size;
  return isDirectory;
};

/** Directories that cannot be read have nothing in them that would be read either. */
const childrenOf = (node: PlannedNode | undefined, onClosed: OnClosed): readonly (readonly [string, PlannedNode])[] => {
  if (node?.kind === 'disk') return onDisk(node.path, onClosed);
  if (node?.kind !== 'dir') return [];
  const changed = [...node.changed].flatMap(([name, child]) => (child === undefined ? [] : [[name, child] as const]));
  const kept = node.source === undefined ? [] : onDisk(node.source, onClosed).filter(([name]) => !node.changed.has(name));
  return [...kept, ...changed].sort(([a], [b]) => (a < b ? -1 : 1));
};

type OnClosed = (fault: unknown) => void;

const onDisk = (path: string, onClosed: OnClosed): readonly (readonly [string, PlannedNode])[] => {
  try {
    const names = withoutOwn(readdirSync(path).map((name) => ({ name })));
    return names.map(({ name }) => [name, { kind: 'disk', path: join(path, name) }] as const).sort(([a], [b]) => (a < b ? -1 : 1));
  } catch (fault) {
    if (codeOf(fault) !== 'ENOENT') onClosed(fault);
    return []; // closed, or gone by now
  }
};

const statOf = (path: string): Stats | undefined => {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // in a directory that may be listed but not entered
  }
};
