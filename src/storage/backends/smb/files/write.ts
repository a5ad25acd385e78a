import type { Outgoing, StoredItem, StoreOptions } from '../../../../core/storage.ts';
import { newStoragePartName } from '../../../part-name.ts';
import type { Session } from '../session/session.ts';
import { filetimeOfMs, malformed } from '../wire/bytes.ts';
import {
  ACCESS,
  closeRequest,
  createRequest,
  DISPOSITION,
  deleteRequest,
  type FileId,
  indexRequest,
  modifiedRequest,
  OPTION,
  readCloseAnswer,
  readCreateAnswer,
  readIndexAnswer,
  readWriteAnswer,
  renameRequest,
  SAME_FILE,
  SHARE,
  writeRequest,
} from '../wire/files.ts';
import type { Answer, Request } from '../wire/message.ts';
import { STATUS } from '../wire/status.ts';
import { remove, whyNotRenamed, withParents } from './change.ts';
import { stat } from './look.ts';
import { beside, nameOf, smbName } from './names.ts';
import { send } from './send.ts';
import { itemOf, type Share } from './share.ts';

/** Content up to here goes with the open: two round trips for the whole file. */
const SMALL_BYTES = 64 * 1024;

/** Writes a file beside its target and renames it when it is whole. */
export const write = async (share: Share, path: string, content: Outgoing, options: StoreOptions): Promise<StoredItem> => {
  const { faults } = share;
  const { signal } = options;
  if (path === '') throw faults.isDirectory(path);
  smbName(path, faults);
  const session = await share.session(signal);
  const chunks = content.chunks({ start: 0 }, { signal })[Symbol.asyncIterator]();
  try {
    const { head, isWhole } = await beginningOf(chunks);
    signal.throwIfAborted();
    const file = await openPart(share, session, path, { signal, ...(isWhole && { content: head, modifiedMs: options.modifiedMs }) });
    return await finished(file, async () => {
      let bytes = head.byteLength;
      if (!isWhole) {
        await demandFree(share, path, options);
        bytes = await send(chunks, head, { session, share, path, id: file.id, offset: 0, signal });
        if (options.modifiedMs !== undefined) await setModified(share, session, file, path, options.modifiedMs);
      }
      signal.throwIfAborted();
      options.confirm?.({ bytes });
      return rename(share, session, file, path, { bytes, exclusive: options.exclusive ?? false, signal });
    });
  } finally {
    await chunks.return?.();
  }
};

/** As much as may be small, and whether that is all. */
const beginningOf = async (chunks: AsyncIterator<Uint8Array>): Promise<{ readonly head: Buffer; readonly isWhole: boolean }> => {
  const parts: Buffer[] = [];
  let bytes = 0;
  for (;;) {
    const next = await chunks.next();
    if (next.done === true) return { head: Buffer.concat(parts), isWhole: true };
    parts.push(Buffer.from(next.value)); // a copy: the next chunk may overwrite it
    bytes += next.value.byteLength;
    if (bytes > SMALL_BYTES) return { head: Buffer.concat(parts), isWhole: false };
  }
};

/** Before much is sent in vain. */
const demandFree = async (share: Share, path: string, { exclusive = false, signal }: StoreOptions): Promise<void> => {
  const there = await stat(share, path, signal);
  if (there?.kind === 'dir') throw share.faults.isDirectory(path);
  if (there !== undefined && exclusive) throw share.faults.exists(path);
};

/** A file on its way to a target beside it. */
export interface PartFile {
  readonly id: FileId;
  readonly path: string;
  /** Gives it up. */
  discard(): Promise<void>;
}

interface PartOptions {
  readonly signal: AbortSignal;
  /** All of it, where it is small. */
  readonly content?: Buffer;
  readonly modifiedMs?: number | undefined;
}

/** Others may look at it meanwhile, but neither write nor remove it. */
const openPart = async (
  share: Share,
  session: Session,
  target: string,
  { signal, content, modifiedMs }: PartOptions,
): Promise<PartFile> => {
  const { faults } = share;
  const path = beside(target, newStoragePartName(nameOf(target)));
  const create = createRequest({
    name: smbName(path, faults),
    access: PART_ACCESS,
    share: SHARE.read,
    disposition: DISPOSITION.create,
    options: OPTION.file,
  });
  const requests: Request[] = [create];
  if (content !== undefined && content.byteLength > 0) requests.push(inBody(writeRequest(SAME_FILE, 0, content)));
  if (modifiedMs !== undefined) requests.push(modifiedRequest(SAME_FILE, filetimeOfMs(modifiedMs)));
  const fileOf = (opened: Answer): PartFile => openedPart(session, readCreateAnswer(opened).id, path);
  const [opened, ...others] = await withParents(share, target, signal, () =>
    session.exchange(requests, {
      signal,
      onLate: ([late]) => {
        if (late?.status === STATUS.ok) void fileOf(late).discard();
      },
    }),
  );
  const file = fileOf(faults.demandOk(opened, target));
  return finished(file, async () => {
    for (const each of others) faults.demandOk(each, target);
    const [written] = others;
    if (content !== undefined && content.byteLength > 0 && written !== undefined && readWriteAnswer(written) !== content.byteLength) {
      throw malformed('that it wrote only a part');
    }
    return file;
  });
};

export const PART_ACCESS = ACCESS.writeData | ACCESS.readAttributes | ACCESS.writeAttributes | ACCESS.delete | ACCESS.synchronize;

export const openedPart = (session: Session, id: FileId, path: string): PartFile => ({
  id,
  path,
  async discard() {
    // Whatever was cancelled: this is not. Where the connection is gone, the next write to the target sweeps.
    await session.exchange([deleteRequest(id), closeRequest(id)], {}).catch(() => {});
  },
});

/** What is small goes into the body, so that other requests may follow in the same frame. */
const inBody = ({ command, body, data = Buffer.alloc(0) }: Request): Request => ({ command, body: Buffer.concat([body, data]) });

/** Gives the file up where the work with it fails. */
export const finished = async <T>(file: PartFile, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (fault) {
    await file.discard();
    throw fault;
  }
};

export const setModified = async (share: Share, session: Session, file: PartFile, path: string, modifiedMs: number): Promise<void> => {
  const [answer] = await session.exchange([modifiedRequest(file.id, filetimeOfMs(modifiedMs))], {});
  share.faults.demandOk(answer, path);
};

interface RenameOptions {
  readonly bytes: number;
  readonly exclusive: boolean;
  readonly signal: AbortSignal;
}

/** Puts a whole file under its name. Refusing to replace is the server's own doing, without a moment between look and rename. */
export const rename = async (
  share: Share,
  session: Session,
  { id, path: part }: PartFile,
  path: string,
  { bytes, exclusive, signal }: RenameOptions,
): Promise<StoredItem> => {
  const { faults } = share;
  // Without the signal: nobody could tell afterwards whether it shows under its name.
  const [renamed, index, closed] = await session.exchange(
    [renameRequest(id, smbName(path, faults), { replace: !exclusive }), indexRequest(id), closeRequest(id, { tell: true })],
    {},
  );
  if (renamed?.status !== STATUS.ok) {
    await remove(share, part, signal, 'file');
    throw await whyNotRenamed(share, renamed?.status ?? STATUS.notSupported, path, signal);
  }
  const item = itemOf(path, readCloseAnswer(faults.demandOk(closed, path)), readIndexAnswer(faults.demandOk(index, path)));
  if (item.bytes !== bytes) throw faults.changed(path);
  return item;
};
