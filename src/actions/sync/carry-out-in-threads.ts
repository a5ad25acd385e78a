import { isAbandoned } from '../../lib/fs/part-name.ts';
import { withOwnTally } from '../../lib/fs/walk-tally.ts';
import { watched } from '../../lib/fs/watched.ts';
import { addAll } from '../../lib/tree/add-all.ts';
import type { TargetEntry } from '../../lib/tree/compare/compared.ts';
import { copyTree, dressDirectories } from '../../lib/tree/copy/copy-tree.ts';
import { addNameList } from '../../lib/tree/name-list.ts';
import { partsOf } from '../../lib/tree/parts-of.ts';
import { removeTree } from '../../lib/tree/remove/remove-tree.ts';
import type { TreeFault } from '../../lib/tree/tree-fault.ts';
import { createPortChanges, type PortChanges } from './port-changes.ts';
import { changedDirectories, directoryOf, withoutFaults } from './touched.ts';
import type { Done, Work } from './work.ts';

/**
 * Carries a decision out on all threads; the few changes that need the policy or are rare go through the file port. With `keepAt`, files
 * that are replaced or go are kept under names that begin with it.
 */
export const carryOutInThreads = async (work: Work, keepAt?: string): Promise<Done> => {
  const { source, target, decision, max_listed } = work;
  const changes = createPortChanges(work);
  await changes.remove(decision.inTheWay);
  const copied = await copyMissing(work, keepAt);
  for (const link of copied.links) await changes.copyLink(link);
  for (const path of decision.marks) await changes.mark(path);
  await removeExtras(work, changes, keepAt);
  const undressed = [...new Set([...changedDirectories(decision), ...decision.directoryMarks, ...copied.links.map(directoryOf)])];
  dressDirectories(source, target, { undressed, faults: changes.faults });
  addNameList(changes.copied, copied.copied, max_listed);
  addNameList(changes.vanished, copied.vanished, max_listed);
  const faults = [...changes.faults, ...copied.faults];
  return {
    copied: changes.copied,
    vanished: changes.vanished,
    special: copied.special,
    unkept: copied.unkept,
    bytes: copied.bytes,
    faults,
    deleted: withoutFaults(decision.doomed, faults),
  };
};

const copyMissing = async ({ ctx, source, target, decision, exclude, max_listed }: Work, keepAt: string | undefined) => {
  const { changed, missing, links } = decision;
  const counted = withOwnTally(source);
  return watched(ctx, counted, `copy ${source.root} to ${target.root}`, (signal) =>
    copyTree({
      source: counted,
      target,
      parts: partsOf([...changed, ...missing], new Set(links)),
      isAside: false,
      exclude,
      keepMetadata: true,
      isSettled: true,
      leavesLinks: target.byHandles,
      stopsAt: [],
      most: max_listed,
      ...(keepAt !== undefined && { keepAt }),
      signal,
    }),
  );
};

const removeExtras = async (work: Work, changes: PortChanges, keepAt: string | undefined): Promise<void> => {
  const { extras, parts } = work.decision;
  const isQuick = ({ kind }: TargetEntry) => !work.trash && (keepAt === undefined || kind === 'file');
  await changes.remove(extras.filter((each) => !isQuick(each)));
  addAll(changes.faults, await removeInThreads(work, extras.filter(isQuick), keepAt));
  const abandoned = parts.filter(({ relative }) => isAbandoned(relative.slice(relative.lastIndexOf('/') + 1)));
  addAll(changes.faults, await removeInThreads(work, abandoned));
};

const removeInThreads = async ({ ctx, target }: Work, entries: readonly TargetEntry[], keepAt?: string): Promise<TreeFault[]> => {
  if (entries.length === 0) return [];
  const counted = withOwnTally({ ...target, access: 'remove' as const });
  const paths = entries.map(({ relative, kind }) => (kind === 'dir' ? `${relative}/` : relative));
  return watched(ctx, counted, `delete in ${target.root}`, (signal) =>
    removeTree({ grant: counted, parts: partsOf(paths), keepAt, signal }),
  );
};
