import type { StoredItem } from '../../../../core/storage.ts';
import { isStoragePart } from '../../../part-name.ts';
import { malformed } from '../wire/bytes.ts';
import { type DirectoryEntry, queryDirectoryRequest, readEntries } from '../wire/directory.ts';
import {
  ACCESS,
  ATTRIBUTE,
  closeRequest,
  createRequest,
  DISPOSITION,
  indexRequest,
  OPTION,
  readCreateAnswer,
  readIndexAnswer,
  readTagAnswer,
  SAME_FILE,
  tagRequest,
} from '../wire/files.ts';
import { isMissing, STATUS } from '../wire/status.ts';
import { faultOfName, inside, smbName } from './names.ts';
import { isElsewhere, itemOf, type Share } from './share.ts';

/** What stands at a path: one round trip. */
export const stat = async (share: Share, path: string, signal: AbortSignal): Promise<StoredItem | undefined> => {
  const { faults } = share;
  const name = smbName(path, faults);
  const session = await share.session(signal);
  const create = createRequest({
    name,
    access: ACCESS.readAttributes | ACCESS.synchronize,
    disposition: DISPOSITION.open,
    options: OPTION.reparsePoint, // a link itself, not what it leads to
  });
  // The handle is closed in the same frame, so that nothing is left open whatever comes.
  const [opened, index, tag] = await session.exchange([create, indexRequest(SAME_FILE), tagRequest(SAME_FILE), closeRequest(SAME_FILE)], {
    signal,
  });
  if (opened === undefined || isGone(opened.status)) return undefined;
  const facts = readCreateAnswer(faults.demandOk(opened, path));
  if ((facts.attributes & ATTRIBUTE.reparsePoint) !== 0 && isElsewhere(facts.attributes, readTagAnswer(faults.demandOk(tag, path)))) {
    throw faults.ofStatus(STATUS.stoppedOnSymlink, path);
  }
  return itemOf(path, facts, readIndexAnswer(faults.demandOk(index, path)));
};

/** Nothing is there, or a file stands in the way, or it is about to go. */
const isGone = (status: number): boolean => isMissing(status) || status === STATUS.notADirectory || status === STATUS.deletePending;

const LIST_BYTES = 256 * 1024;

/** The entries of one directory that names of a storage can tell; nothing where there is no directory. */
export async function* entriesOf(share: Share, directory: string, signal: AbortSignal): AsyncGenerator<DirectoryEntry> {
  const { faults } = share;
  const name = smbName(directory, faults);
  const session = await share.session(signal);
  const bytes = Math.min(LIST_BYTES, session.maxTransact);
  const create = createRequest({
    name,
    access: ACCESS.readData | ACCESS.readAttributes | ACCESS.synchronize,
    disposition: DISPOSITION.open,
    options: OPTION.directory,
  });
  const [opened, first] = await session.exchange([create, queryDirectoryRequest(SAME_FILE, '*', bytes)], {
    signal,
    onLate: ([late]) => {
      if (late?.status === STATUS.ok) leave(readCreateAnswer(late).id);
    },
  });
  if (opened === undefined || isGone(opened.status)) return;
  const { id } = readCreateAnswer(faults.demandOk(opened, directory));
  const leave = (file: Buffer): void => void session.exchange([closeRequest(file)], {}).catch(() => {}); // it ends with the session at the latest
  let previous: string | undefined;
  try {
    for (
      let answer = first;
      answer?.status !== STATUS.noMoreFiles;
      [answer] = await session.exchange([queryDirectoryRequest(id, '*', bytes)], { signal })
    ) {
      if (answer !== undefined && isMissing(answer.status)) return; // an empty directory of some servers
      const entries = readEntries(faults.demandOk(answer, directory));
      // A server that says the same again and again would keep whoever lists for ever.
      if (entries[0] === undefined || entries[0].name === previous) throw malformed('a list that does not go on');
      previous = entries[0].name;
      for (const entry of entries) if (faultOfName(entry.name) === undefined) yield entry;
      signal.throwIfAborted();
    }
  } finally {
    leave(id);
  }
}

/** The entries of a directory, or everything below it; links are left out and never entered. */
export async function* list(
  share: Share,
  path: string,
  signal: AbortSignal,
  { deep }: { readonly deep: boolean },
): AsyncGenerator<StoredItem> {
  const ahead = [path];
  for (let directory = ahead.pop(); directory !== undefined; directory = ahead.pop()) {
    for await (const entry of entriesOf(share, directory, signal)) {
      if (isStoragePart(entry.name) || isElsewhere(entry.attributes, entry.reparseTag)) continue;
      const item = itemOf(inside(directory, entry.name), entry, entry.index);
      yield item;
      if (deep && item.kind === 'dir') ahead.push(item.path);
    }
  }
}
