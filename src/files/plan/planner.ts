import { basename, dirname, join } from 'node:path';
import type { Policy } from '../../access/policy.ts';
import type { Access, Entry, EntryKind, FilePort, Listed, ListOptions } from '../../core/files.ts';
import type { UndoLimits } from '../../core/journal.ts';
import { type Foresight, NotYetKnown } from '../../core/planning.ts';
import type { Budget } from '../../core/quota.ts';
import type { Effect } from '../../core/result.ts';
import { translate } from '../../lib/fs/faults.ts';
import { newFileMode } from '../../lib/fs/new-file-mode.ts';
import { systemFault } from '../../lib/fs/system-fault.ts';
import { demandLinkInside } from '../judge-link.ts';
import { findOwnPlace, pathOfLink } from '../names.ts';
import { demandDir, faultAt, holdsOwnPlace, isRoot } from '../refusals.ts';
import type { PlannedNode, PlannedTree } from './planned-tree.ts';

export interface PlanningOptions {
  readonly real: FilePort;
  readonly foresight: Foresight;
  readonly policy: Policy | undefined;
  readonly budget: Budget | undefined;
  /** What a real run could keep to be undone with; left out where it could not be undone anyhow. */
  readonly undoLimits?: UndoLimits | undefined;
  /** What below a tree is kept to undo runs with. */
  readonly placeBelow?: ((tree: string) => string | undefined) | undefined;
  now(): number;
}

/** A path in a dry run: as the caller wrote it, and as it would be found once all that is planned has happened. */
export interface Located {
  readonly shown: string;
  readonly real: string;
  /** What would be touched, as effects name it: the path as written, or where it leads when it is a link that is followed. */
  readonly touched: string;
}

/** What stands, or would stand, at a path. */
export interface Seen {
  readonly kind: EntryKind;
  /** Undefined where only a real run will know. */
  readonly size: number | undefined;
  readonly mtimeMs: number;
  readonly mode: number;
  readonly identity: string;
  /** Untouched by the plan, so that a change before the real run can be noticed. */
  readonly isOnDisk: boolean;
  readonly node: PlannedNode;
}

/** What all planned operations share. */
export interface Planner extends PlanningOptions {
  readonly tree: PlannedTree;
  /** Follows a path through what is planned and judges where it ends. */
  locate(path: string, use: { readonly access: Access; readonly followLinks?: boolean }): Located;
  look(real: string): Promise<Seen | undefined>;
  /** The entries of a directory that is there, names sorted. */
  entries(real: string, options?: ListOptions): Promise<readonly Listed[]>;
  demandParent(located: Pick<Located, 'shown' | 'real'>): Promise<void>;
  /** Refuses to replace, move or remove a root of the policy or of the file system. */
  demandNotRoot(real: string): void;
  /** Refuses to move or remove a tree in which something is kept to undo runs with. */
  demandNothingKept(real: string): void;
  /** A directory of ours in one that is there; it is no entry. */
  ownPlaceIn(real: string): string | undefined;
  /** What a link would say. */
  textOfLink(seen: Seen, shown: string): Promise<string>;
  /** A link may only lead where its maker may read. */
  judgeLink(directory: string, target: string): void;
  /** Adds an effect; `seen` is what it reads, replaces or deletes. */
  record(kind: Effect['kind'], target: string, about: { readonly bytes?: number | undefined; readonly seen?: Seen | undefined }): void;
}

export const createPlanner = (options: PlanningOptions, tree: PlannedTree): Planner => {
  const { real: disk, foresight, policy, now } = options;

  const look = async (real: string): Promise<Seen | undefined> => {
    const node = tree.find(real);
    if (node === undefined) return undefined;
    const identity = `planned:${real}`;
    switch (node.kind) {
      case 'disk': {
        const entry = await disk.stat(node.path, { followLinks: false });
        return entry && { ...entry, isOnDisk: true, node };
      }
      case 'file':
        return { ...node, identity, isOnDisk: false, node };
      case 'link':
        return { kind: 'link', size: Buffer.byteLength(node.target), mtimeMs: node.mtimeMs, mode: 0o777, identity, isOnDisk: false, node };
      case 'dir': {
        const source = node.source === undefined ? undefined : await disk.stat(node.source, { followLinks: false });
        const { mtimeMs = source?.mtimeMs ?? now(), mode = source?.mode ?? newDirMode() } = node;
        return { kind: 'dir', size: source?.size ?? 0, mtimeMs, mode, identity: source?.identity ?? identity, isOnDisk: false, node };
      }
    }
  };

  const entries = async (real: string, options?: ListOptions): Promise<readonly Listed[]> => {
    const node = tree.find(real);
    if (node?.kind === 'disk') return disk.list(node.path, options);
    if (node?.kind !== 'dir') return [];
    const listed = node.source === undefined ? [] : (await disk.list(node.source, options)).filter(({ name }) => !node.changed.has(name));
    for (const name of node.changed.keys()) {
      const seen = await look(join(real, name));
      if (seen !== undefined) listed.push({ name, kind: seen.kind });
    }
    return listed.sort((a, b) => (a.name < b.name ? -1 : 1));
  };

  return {
    ...options,
    tree,
    locate(path, { access, followLinks = true }) {
      const shown = disk.absolute(path);
      try {
        let hasLinks = false;
        const meet = () => {
          hasLinks = true;
        };
        const real = tree.resolve(shown, { followLinks, meet });
        policy?.rootFor(real, access, shown);
        const isLink = hasLinks && tree.resolve(shown, { followLinks: false }) !== real;
        return { shown, real, touched: isLink ? real : shown };
      } catch (fault) {
        throw faultAt(fault, { path: shown });
      }
    },
    look,
    entries,
    async demandParent({ shown, real }) {
      const isMissingRoot = policy?.rootFor(real, 'read', shown) === real; // above it nobody may look
      demandDir(isMissingRoot ? undefined : await look(dirname(real)), dirname(shown));
    },
    demandNotRoot(real) {
      if (dirname(real) === real || policy?.rootFor(real, 'read', real) === real) throw isRoot(real);
    },
    demandNothingKept(real) {
      const place = options.placeBelow?.(real);
      if (place !== undefined) throw holdsOwnPlace(place);
    },
    ownPlaceIn(real) {
      const node = tree.find(real);
      const source = node?.kind === 'disk' ? node.path : node?.kind === 'dir' ? node.source : undefined;
      return source === undefined ? undefined : findOwnPlace(source);
    },
    async textOfLink({ node }, shown) {
      if (node.kind === 'link') return node.target;
      if (node.kind === 'disk') return disk.readLink(node.path);
      throw translate(systemFault('EINVAL', 'readlink', shown), { path: shown });
    },
    judgeLink(directory, target) {
      if (policy === undefined) return;
      const path = pathOfLink(directory, target);
      try {
        demandLinkInside(policy, target, (meet) => tree.resolve(path, { followLinks: true, meet }));
      } catch (fault) {
        throw faultAt(fault, { path });
      }
    },
    record(kind, target, { bytes, seen }) {
      foresight.record(
        { kind, target, ...(bytes !== undefined && { bytes }) },
        seen?.isOnDisk ? { size: seen.size ?? 0, mtimeMs: seen.mtimeMs } : undefined,
      );
    },
  };
};

/** Tells of what is in a directory under the path that the caller knows it by. */
export const toldBelow = (shown: string, bypass: ListOptions['bypass']): ListOptions =>
  bypass === undefined ? {} : { bypass: { unreadable: (path, fault) => bypass.unreadable(join(shown, basename(path)), fault) } };

/** What callers get to see; asking for a size that only a real run will know ends the planning of a command. */
export const entryFrom = ({ kind, size, mtimeMs, mode, identity, isOnDisk }: Seen, path: string): Entry => ({
  path,
  name: basename(path),
  kind,
  get size() {
    if (size === undefined) throw new NotYetKnown(`the size of ${path}`);
    return size;
  },
  mtimeMs,
  mode,
  identity,
  ...(!isOnDisk && { isPlanned: true }),
});

/** Whoever may read a new file may enter a new directory. */
const newDirMode = (): number => newFileMode() | ((newFileMode() & 0o444) >> 2);
