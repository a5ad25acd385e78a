import { join, sep } from 'node:path';
import type { FileAutomationException } from '../../../core/errors.ts';
import type { Access, Grant } from '../../../core/files.ts';
import type { DirectoryHandle } from '../../../lib/fs/directory-handle.ts';
import { newPartName } from '../../../lib/fs/part-name.ts';
import { readLinkText } from '../../../lib/fs/raw-names.ts';
import { openWalked } from '../../../lib/fs/walk-directory.ts';
import { openTally } from '../../../lib/fs/walk-tally.ts';
import { bulkChanges } from '../../../lib/tree/bulk-changes.ts';
import { compareTrees } from '../../../lib/tree/compare/compare-trees.ts';
import type { Compared } from '../../../lib/tree/compare/compared.ts';
import { type Copied, type CopyOrder, MOST_UNKEPT } from '../../../lib/tree/copy/copy-part.ts';
import { copyTree, dressDirectories } from '../../../lib/tree/copy/copy-tree.ts';
import { divide } from '../../../lib/tree/divide.ts';
import { removeTree } from '../../../lib/tree/remove/remove-tree.ts';
import { isUnreadable, type Side, type TreeFault } from '../../../lib/tree/tree-fault.ts';
import { unpackFault } from '../../../lib/workers/messages.ts';
import { faultAt, noFile } from '../../refusals.ts';
import type { Disk } from '../disk.ts';
import { judgeLink, putLink } from '../links.ts';
import type { TreeWork } from './each-entry.ts';
import { type Emptying, emptyDirectory } from './empty-directory.ts';
import type { OpenTree, TreePair } from './open-tree.ts';

/** A tree that is copied into. */
export interface GrowingTree extends OpenTree {
  /** Where it is, or will be once it has its name: links are judged by where they lead from there. */
  readonly real: string;
}

type Pair = TreePair<GrowingTree>;

/** Removes everything in a directory, a large one on all threads; what is left after a failure goes one by one. Answers whether all went. */
export const emptyInThreads = async (tree: OpenTree, how: Emptying): Promise<boolean> => {
  const { directory, shown } = tree;
  const [first] = await removeTree({ grant: grantOn(directory, 'remove', { isGuarded: true }), signal: how.signal, isStrict: true });
  if (first === undefined) return true;
  if (how.onLeft !== undefined) return emptyDirectory(tree, how);
  throw faultAt(unpackFault(first.fault), { path: join(shown, first.relative), missing: 'directory' });
};

/**
 * Fills a new tree from a source, a large one on all threads; links of callers with a policy are made here, where it can be asked.
 * False where that cannot be done: bytes must be counted or synced one by one, or paths get too long to be written out.
 */
export const fillInThreads = async (pair: Pair, work: TreeWork): Promise<boolean> => {
  const { disk, signal, durable = false } = work;
  if (disk.hasBudget || durable) return false;
  const isFilled = await copyInThreads(pair, work, { isAside: true });
  if (!isFilled) await emptyDirectory(pair.target, { signal, isOurs: true, giveWay: disk.giveWay });
  return isFilled;
};

/**
 * Copies a tree into one that exists, a large one on all threads; a journal is told by what was `compared`. False, with nothing lost,
 * where that cannot be done.
 */
export const mergeInThreads = async ({ source, target }: TreePair, work: TreeWork, compared: Compared | undefined): Promise<boolean> => {
  const { disk, durable = false, keepMetadata } = work;
  // Without metadata to keep, a file looks like the one it replaces.
  if (disk.hasBudget || disk.countsDeletes || durable || !keepMetadata || (disk.hasJournal && compared === undefined)) return false;
  disk.sweeper.touched(target.directory.realPath, { isTree: true });
  const pair = { source, target: { ...target, real: target.directory.realPath } };
  if (!disk.hasJournal || compared === undefined) return copyInThreads(pair, work, { isAside: false });
  const { same, changed, missing, directoryMarks } = compared;
  const bulk = await disk.beforeBulk(
    await bulkChanges({
      source: { root: source.directory.realPath },
      target: { root: target.directory.realPath },
      copied: [...same.names, ...changed, ...missing],
      removed: [],
      dressed: directoryMarks,
    }),
  );
  if (bulk === undefined) return false;
  try {
    return await copyInThreads(pair, work, { isAside: false, keepAt: bulk.keepAt });
  } finally {
    await bulk.done();
  }
};

/** Compares the trees of a merge on all threads; undefined where something may stand in its way. Links of callers with a policy are not judged. */
export const compareToMerge = async ({ source, target }: TreePair, { disk, signal, bypass }: TreeWork): Promise<Compared | undefined> => {
  if (disk.policy !== undefined) return undefined;
  const compared = await compareTrees({
    source: grantOn(source.directory, 'read', { isGuarded: false }),
    target: grantOn(target.directory, 'read', { isGuarded: false }),
    by: 'size_mtime',
    toleranceMs: 0,
    exclude: [],
    isCaseBlind: false,
    replacesDirectories: false,
    most: disk.hasJournal ? Number.POSITIVE_INFINITY : 0,
    signal,
  });
  const isBlocked = compared.faults.some((fault) => bypass === undefined || !isUnreadable(fault));
  return isBlocked || compared.inTheWay.length > 0 ? undefined : compared;
};

const copyInThreads = async (pair: Pair, work: TreeWork, where: Pick<CopyOrder, 'isAside' | 'keepAt'>): Promise<boolean> => {
  const { source, target } = pair;
  const { disk, signal, keepMetadata, bypass, onSpecial, onBytes } = work;
  const isGuarded = disk.policy !== undefined;
  const shut = disk.policy?.shutBelow(source.directory.realPath);
  const grants = {
    source: { ...grantOn(source.directory, 'read', { isGuarded }), ...(shut && { shut }) },
    target: grantOn(target.directory, 'write', { isGuarded }),
  };
  const progress = report(grants.source, onBytes);
  const how = { ...where, exclude: [], keepMetadata, isSettled: false, leavesLinks: isGuarded, most: MOST_NAMED };
  const stopsAt = bypass === undefined ? BOTH : TARGET;
  const copied = await copyTree({ ...grants, ...how, stopsAt, signal }).finally(progress.end);
  if (copied.faults.some(isTooLong)) return false;
  const fault = faultOf(copied, pair, { isStrict: bypass === undefined });
  if (fault !== undefined) throw fault;
  for (const left of copied.faults) bypass?.unreadable(join(source.shown, left.relative), unpackFault(left.fault));
  if (copied.vanished.count > 0) bypass?.vanished(copied.vanished.count);
  const { count, names } = copied.special;
  if (count > 0)
    onSpecial?.(
      count,
      names.map((relative) => join(source.shown, relative)),
    );
  tellUnkept(copied, target.shown, disk);
  makeLinks(copied, pair, disk);
  if (keepMetadata) dressDirectories(grants.source, grants.target, { ...copied, undressed: copied.links.map(directoryOf) });
  return true;
};

/** Permission on an open directory; a guarded one is addressed by what is open, whatever its path has become. */
export const grantOn = (directory: DirectoryHandle, access: Access, { isGuarded }: { readonly isGuarded: boolean }): Grant => ({
  root: isGuarded ? `${directory.address()}${sep}.` : directory.realPath,
  access,
  byHandles: isGuarded,
  dry: false,
  counters: new SharedArrayBuffer(4 * Int32Array.BYTES_PER_ELEMENT),
});

/** How many names of what is left out are kept. */
const MOST_NAMED = 100;
const TARGET: readonly Side[] = ['target'];
const BOTH: readonly Side[] = ['source', 'target'];

const REPORT_EVERY_MS = 100;

/** Tells of bytes as they are counted. */
const report = (grant: Grant, onBytes: TreeWork['onBytes']): { end(): void } => {
  if (onBytes === undefined) return { end() {} };
  const tally = openTally(grant);
  let told = 0;
  const tell = () => {
    const bytes = tally.bytes();
    if (bytes > told) onBytes(bytes - told);
    told = bytes;
  };
  const timer = setInterval(tell, REPORT_EVERY_MS);
  return {
    end() {
      clearInterval(timer);
      tell();
    },
  };
};

const isTooLong = ({ fault }: TreeFault): boolean => fault.kind === 'system' && fault.fields.code === 'ENAMETOOLONG';

const faultOf = (
  { faults, vanished }: Copied,
  { source, target }: Pair,
  { isStrict }: { readonly isStrict: boolean },
): FileAutomationException | undefined => {
  const first = isStrict ? faults[0] : faults.find((fault) => !isUnreadable(fault));
  if (first !== undefined)
    return faultAt(unpackFault(first.fault), { path: join((first.side === 'source' ? source : target).shown, first.relative) });
  if (isStrict && vanished.count > 0) return noFile(join(source.shown, vanished.names[0] ?? ''));
  return undefined;
};

const tellUnkept = ({ unkept: { count, names } }: Copied, shown: string, { onLost }: Disk): void => {
  const first = names.toSorted().slice(0, MOST_UNKEPT);
  for (const [at, relative] of first.entries()) {
    const others = at === 0 ? count - first.length : 0;
    onLost?.({ path: join(shown, relative), what: 'owner', ...(others > 0 && { others }) });
  }
};

const makeLinks = ({ links }: Copied, { source, target }: Pair, disk: Disk): void => {
  for (const relative of links) {
    const [directory, name] = [directoryOf(relative), relative.slice(relative.lastIndexOf('/') + 1)];
    try {
      using from = openWalked(`${source.directory.address()}${sep}.`, directory, true);
      using to = openWalked(`${target.directory.address()}${sep}.`, directory, true);
      const text = readLinkText(from.address(name));
      judgeLink(disk, join(target.real, directory), text);
      putLink(text, to.address(newPartName()), to.address(name));
    } catch (fault) {
      throw faultAt(fault, { path: join(target.shown, relative) });
    }
  }
};

/** The directory of an entry, `/` at its end. */
const directoryOf = (relative: string): string => divide(`${relative}/`)[0];
