import type { FilePort } from '../../core/files.ts';
import { bulkChanges } from '../../lib/tree/bulk-changes.ts';
import { carryOutByPort } from './carry-out-by-port.ts';
import { carryOutInThreads } from './carry-out-in-threads.ts';
import { createPortChanges } from './port-changes.ts';
import type { Done, Work } from './work.ts';

/** Tells the journal of a whole decision before its first effect, then carries it out on all threads; one by one where that cannot be told. */
export const carryOutAnnounced = async (work: Work, announce: NonNullable<FilePort['announce']>): Promise<Done> => {
  const cleared = createPortChanges(work);
  await cleared.remove(work.decision.inTheWay); // each is a change of its own, and its place is free for what comes
  const rest = { ...work, decision: { ...work.decision, inTheWay: [] } };
  const bulk = await announce(await bulkChanges(intended(rest)));
  try {
    const done = await (bulk === undefined ? carryOutByPort(rest) : carryOutInThreads(rest, bulk.keepAt));
    return { ...done, faults: [...cleared.faults, ...done.faults] };
  } finally {
    await bulk?.done();
  }
};

const intended = ({ source, target, decision, trash }: Work) => {
  const { changed, missing, links, extras, directoryMarks } = decision;
  // Where a policy has to be asked where links may lead, they are made through the port, which tells the journal itself.
  const others = new Set(target.byHandles ? links : []);
  return {
    source,
    target,
    copied: [...changed, ...missing].filter((path) => !others.has(path)),
    removed: trash ? [] : extras.filter(({ kind }) => kind === 'file').map(({ relative }) => relative),
    dressed: directoryMarks,
  };
};
