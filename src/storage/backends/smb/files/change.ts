import type { StoredItem } from '../../../../core/storage.ts';
import { parentOf } from '../../../../lib/location/storage-path.ts';
import { storageCode } from '../../../faults.ts';
import { isForgottenPart } from '../../../part-name.ts';
import { msOfFiletime } from '../wire/bytes.ts';
import {
  ACCESS,
  ATTRIBUTE,
  closeRequest,
  createRequest,
  DISPOSITION,
  deleteRequest,
  indexRequest,
  OPTION,
  readCloseAnswer,
  readIndexAnswer,
  renameRequest,
  SAME_FILE,
} from '../wire/files.ts';
import type { Answer } from '../wire/message.ts';
import { isMissing, STATUS } from '../wire/status.ts';
import { entriesOf, stat } from './look.ts';
import { beside, nameOf, smbName } from './names.ts';
import { itemOf, type Share } from './share.ts';

/** Removes a file, or an empty directory; a link goes itself, never what it leads to. Tells whether it was there. */
export const remove = async (share: Share, path: string, signal: AbortSignal, kind: 'file' | 'dir'): Promise<boolean> => {
  const { faults } = share;
  const create = createRequest({
    name: smbName(path, faults),
    access: ACCESS.delete | ACCESS.readAttributes | ACCESS.synchronize,
    disposition: DISPOSITION.open,
    options: (kind === 'file' ? OPTION.file : OPTION.directory) | OPTION.reparsePoint,
  });
  const session = await share.session(signal);
  const [opened, removed] = await session.exchange([create, deleteRequest(SAME_FILE), closeRequest(SAME_FILE)], { signal });
  if (opened === undefined || isMissing(opened.status) || opened.status === STATUS.deletePending) return false;
  if (opened.status === STATUS.notADirectory) {
    if (kind === 'file') return false;
    throw faults.because('unsupported', `${path} is a file; remove it as one.`);
  }
  faults.demandOk(opened, path);
  faults.demandOk(removed, path);
  return true;
};

/** Makes a directory and those that are missing above it; the deepest is tried first, because most are there. */
export const makeDir = async (share: Share, path: string, signal: AbortSignal): Promise<void> => {
  if (path === '') return;
  const { faults } = share;
  const create = createRequest({
    name: smbName(path, faults),
    access: ACCESS.readAttributes | ACCESS.synchronize,
    disposition: DISPOSITION.openIf,
    options: OPTION.directory,
  });
  const session = await share.session(signal);
  const make = async (): Promise<number> => {
    const [opened] = await session.exchange([create, closeRequest(SAME_FILE)], { signal });
    return opened?.status ?? STATUS.notSupported;
  };
  let status = await make();
  if (status === STATUS.objectPathNotFound && parentOf(path) !== '') {
    await makeDir(share, parentOf(path), signal);
    status = await make();
  }
  if (status === STATUS.objectNameCollision || status === STATUS.notADirectory) throw faults.exists(path);
  if (status !== STATUS.ok) throw faults.ofStatus(status, path);
};

/** Does something, once more where a directory of the path was missing. */
export const withParents = async (
  share: Share,
  path: string,
  signal: AbortSignal,
  work: () => Promise<readonly Answer[]>,
): Promise<readonly Answer[]> => {
  const answers = await work();
  if (!answers.some(({ status }) => status === STATUS.objectPathNotFound) || parentOf(path) === '') return answers;
  await makeDir(share, parentOf(path), signal);
  return work();
};

/** Why something could not be put under a name; servers say it in many ways. */
export const whyNotRenamed = async (share: Share, status: number, path: string, signal: AbortSignal): Promise<Error> => {
  const { faults } = share;
  if (status === STATUS.objectNameCollision || status === STATUS.accessDenied || status === STATUS.fileIsADirectory) {
    const there = await stat(share, path, signal);
    if (there?.kind === 'dir') return faults.isDirectory(path);
  }
  return status === STATUS.objectNameCollision ? faults.exists(path) : faults.ofStatus(status, path);
};

/** Moves a file, replacing what is there. */
export const move = async (share: Share, from: string, to: string, signal: AbortSignal): Promise<StoredItem> => {
  const { faults } = share;
  const [source, target] = [smbName(from, faults), smbName(to, faults)];
  const create = createRequest({
    name: source,
    access: ACCESS.delete | ACCESS.readAttributes | ACCESS.synchronize,
    disposition: DISPOSITION.open,
    options: OPTION.file | OPTION.reparsePoint,
  });
  if (to === '') throw faults.isDirectory(to);
  const session = await share.session(signal);
  const attempt = () =>
    session.exchange(
      [create, renameRequest(SAME_FILE, target, { replace: true }), indexRequest(SAME_FILE), closeRequest(SAME_FILE, { tell: true })],
      { signal },
    );
  let [opened, renamed, index, closed] = await attempt();
  if (opened !== undefined && isMissing(opened.status)) throw faults.notFound(from);
  faults.demandOk(opened, from);
  if (from === to) return itemOf(to, readCloseAnswer(faults.demandOk(closed, to)), readIndexAnswer(faults.demandOk(index, to)));
  if (renamed?.status === STATUS.objectPathNotFound) {
    await makeDir(share, parentOf(to), signal);
    [opened, renamed, index, closed] = await attempt();
    faults.demandOk(opened, from);
  }
  if (renamed?.status !== STATUS.ok) throw await whyNotRenamed(share, renamed?.status ?? STATUS.notSupported, to, signal);
  return itemOf(to, readCloseAnswer(faults.demandOk(closed, to)), readIndexAnswer(faults.demandOk(index, to)));
};

/** Removes what broken writes of ours have left for a target; what somebody has open is still being written. */
export const sweep = async (share: Share, path: string, signal: AbortSignal): Promise<void> => {
  smbName(path, share.faults);
  const target = nameOf(path);
  const left: string[] = [];
  for await (const { name, modified, attributes } of entriesOf(share, parentOf(path), signal)) {
    const untouchedMs = share.clock.now() - msOfFiletime(modified);
    if ((attributes & ATTRIBUTE.directory) === 0 && isForgottenPart(name, target, untouchedMs)) left.push(beside(path, name));
  }
  for (const each of left) {
    await remove(share, each, signal, 'file').catch((fault: unknown) => {
      if (storageCode(fault) !== 'busy') throw fault;
    });
  }
};
