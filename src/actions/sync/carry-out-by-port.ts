import { isTree } from '../../lib/tree/is-tree.ts';
import { noNames } from '../../lib/tree/name-list.ts';
import { listBelow } from './decide.ts';
import { createPortChanges } from './port-changes.ts';
import { changedDirectories, withoutFaults } from './touched.ts';
import type { Done, Work } from './work.ts';

/** Carries a decision out change by change: for dry runs, budgets and journals. */
export const carryOutByPort = async (work: Work): Promise<Done> => {
  const { ctx, source, exclude, decision } = work;
  const { changed, missing, links, marks, extras, inTheWay, directoryMarks, doomed } = decision;
  const changes = createPortChanges(work);
  await changes.remove(inTheWay);
  const below = await listBelow(source, missing.filter(isTree), exclude, ctx.signal);
  for (const directory of below.directories) if (directory !== '') await changes.makeDirectory(directory);
  const allLinks = new Set([...links, ...below.links]);
  for (const path of [...changed, ...missing.filter((each) => !isTree(each)), ...below.files, ...below.links])
    await (allLinks.has(path) ? changes.copyLink(path) : changes.copyFile(path));
  for (const path of marks) await changes.mark(path);
  await changes.remove(extras);
  // What a directory's time becomes is no effect that a dry run tells.
  if (!source.dry)
    for (const directory of new Set([...below.directories.toReversed(), ...changedDirectories(decision), ...directoryMarks]))
      await changes.mark(directory);
  const faults = [...changes.faults, ...below.faults];
  const { copied, vanished, bytes } = changes;
  return { copied, vanished, special: below.special, unkept: noNames(), bytes, faults, deleted: withoutFaults(doomed, faults) };
};
