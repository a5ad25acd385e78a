import type { Json } from '../../../../core/errors.ts';
import type { HeldPart, PartedWrite, PartRules, ResumeOptions, StoreOptions } from '../../../../core/storage.ts';
import { isPartFor, newStoragePartName } from '../../../part-name.ts';
import type { Session } from '../session/session.ts';
import {
  ACCESS,
  closeRequest,
  createRequest,
  DISPOSITION,
  endOfFileRequest,
  flushRequest,
  OPTION,
  readCreateAnswer,
  SAME_FILE,
} from '../wire/files.ts';
import { isMissing, STATUS } from '../wire/status.ts';
import { remove, withParents } from './change.ts';
import { stat } from './look.ts';
import { beside, nameOf, smbName } from './names.ts';
import { send } from './send.ts';
import type { Share } from './share.ts';
import { finished, openedPart, PART_ACCESS, type PartFile, rename, setModified } from './write.ts';

const PART_BYTES = 8 * 1024 * 1024;

/** All parts but the last are equally long, so that the number of a part says where it goes, in whatever order they come. */
export const PARTS: PartRules = {
  minBytes: PART_BYTES,
  maxBytes: PART_BYTES,
  maxCount: 1_000_000,
  multipleOf: PART_BYTES,
  isInOrder: false,
};

/** What another process needs to go on. */
interface Ticket {
  readonly part: string;
  readonly bytes: number;
  readonly modifiedMs?: number;
  readonly exclusive?: true;
}

/** Begins a file whose parts are written at their places in a file beside the target, in any order. */
export const startParts = async (
  share: Share,
  path: string,
  { bytes, modifiedMs, exclusive, confirm, signal }: StoreOptions & { readonly bytes: number },
): Promise<PartedWrite> => {
  const { faults } = share;
  if (path === '') throw faults.isDirectory(path);
  smbName(path, faults);
  const ticket: Ticket = {
    part: newStoragePartName(nameOf(path)),
    bytes,
    ...(modifiedMs !== undefined && { modifiedMs }),
    ...(exclusive === true && { exclusive }),
  };
  const session = await share.session(signal);
  const there = await stat(share, path, signal);
  if (there?.kind === 'dir') throw faults.isDirectory(path);
  if (there !== undefined && exclusive === true) throw faults.exists(path);
  const create = createRequest({
    name: smbName(beside(path, ticket.part), faults),
    access: PART_ACCESS,
    disposition: DISPOSITION.create,
    options: OPTION.file,
  });
  const [created] = await withParents(share, path, signal, () => session.exchange([create, closeRequest(SAME_FILE)], { signal }));
  faults.demandOk(created, path);
  return partedWrite(share, path, ticket, { held: [], confirm });
};

/** Goes on with a file that was begun: what was written down counts as far as the file beside the target holds it. */
export const resumeParts = async (
  share: Share,
  path: string,
  ticket: Json,
  { known = [], signal }: ResumeOptions,
): Promise<PartedWrite | undefined> => {
  if (!isTicket(ticket, nameOf(path))) return undefined;
  const there = await stat(share, beside(path, ticket.part), signal);
  if (there?.kind !== 'file') return undefined;
  const held = known.filter(({ number, bytes }) => isPlaced(number, bytes, ticket) && offsetOf(number) + bytes <= there.bytes);
  return partedWrite(share, path, ticket, { held, confirm: undefined });
};

const isTicket = (ticket: unknown, target: string): ticket is Ticket => {
  if (typeof ticket !== 'object' || ticket === null) return false;
  const { part, bytes } = ticket as Partial<Ticket>; // judged in the next line
  return typeof part === 'string' && isPartFor(part, target) && Number.isSafeInteger(bytes);
};

const offsetOf = (number: number): number => (number - 1) * PART_BYTES;

/** Whether a part with this number has the length that belongs there. */
const isPlaced = (number: number, bytes: number, ticket: Ticket): boolean =>
  number >= 1 && bytes === Math.min(PART_BYTES, ticket.bytes - offsetOf(number));

interface PartedOptions {
  readonly held: readonly HeldPart[];
  readonly confirm: StoreOptions['confirm'];
}

const partedWrite = (share: Share, path: string, ticket: Ticket, { held, confirm }: PartedOptions): PartedWrite => {
  const { faults } = share;
  const part = beside(path, ticket.part);
  return {
    ticket: { ...ticket },
    held,
    async put(number, content, { signal }) {
      const offset = offsetOf(number);
      if (!isPlaced(number, content.bytes, ticket)) throw faults.unsupported(`All parts but the last have ${PART_BYTES} bytes.`, path);
      const session = await share.session(signal);
      const { file } = await openPart(share, session, path, part, { access: ACCESS.writeData | ACCESS.synchronize, signal });
      const chunks = content.chunks({ start: 0 }, { signal })[Symbol.asyncIterator]();
      try {
        const bytes = await send(chunks, new Uint8Array(), { session, share, path, id: file.id, offset, signal });
        if (bytes !== content.bytes)
          throw faults.because('changed', `Part ${number} of ${path} has ${bytes} bytes, not ${content.bytes}; start again.`);
        // It is written down as held: it must not be lost even if the server fails.
        const [flushed] = await session.exchange([flushRequest(file.id)], { signal });
        faults.demandOk(flushed, path);
        return { number, bytes, receipt: String(number) };
      } finally {
        await session.exchange([closeRequest(file.id)], {}).catch(() => {}); // it ends with the session at the latest
        await chunks.return?.();
      }
    },
    async commit(parts, { signal }) {
      demandWhole(share, path, ticket, parts);
      const session = await share.session(signal);
      const { file, bytes } = await openPart(share, session, path, part, { access: PART_ACCESS, signal });
      try {
        if (bytes < ticket.bytes) throw faults.because('changed', `The parts of ${path} are not there any more; send them again.`);
        if (bytes > ticket.bytes) faults.demandOk((await session.exchange([endOfFileRequest(file.id, ticket.bytes)], { signal }))[0], path);
        if (ticket.modifiedMs !== undefined) await setModified(share, session, file, path, ticket.modifiedMs);
        signal.throwIfAborted();
      } catch (fault) {
        await session.exchange([closeRequest(file.id)], {}).catch(() => {}); // the parts stay for another try
        throw fault;
      }
      return finished(file, async () => {
        confirm?.({ bytes: ticket.bytes });
        return rename(share, session, file, path, { bytes: ticket.bytes, exclusive: ticket.exclusive === true, signal });
      });
    },
    discard: async ({ signal }) => void (await remove(share, part, signal, 'file')),
  };
};

interface Opening {
  readonly access: number;
  readonly signal: AbortSignal;
}

const openPart = async (
  share: Share,
  session: Session,
  path: string,
  part: string,
  { access, signal }: Opening,
): Promise<{ readonly file: PartFile; readonly bytes: number }> => {
  const { faults } = share;
  const create = createRequest({ name: smbName(part, faults), access, disposition: DISPOSITION.open, options: OPTION.file });
  const [opened] = await session.exchange([create], {
    signal,
    onLate: ([late]) => {
      if (late?.status === STATUS.ok) void session.exchange([closeRequest(readCreateAnswer(late).id)], {}).catch(() => {});
    },
  });
  if (opened !== undefined && isMissing(opened.status))
    throw faults.because('changed', `The parts of ${path} are not there any more; start again.`);
  const { id, bytes } = readCreateAnswer(faults.demandOk(opened, path));
  return { file: openedPart(session, id, part), bytes };
};

/** Refuses to make a file of parts of which some are missing. */
const demandWhole = ({ faults }: Share, path: string, ticket: Ticket, parts: readonly HeldPart[]): void => {
  const isWhole =
    parts.every(({ number, bytes }, at) => number === at + 1 && isPlaced(number, bytes, ticket)) &&
    parts.reduce((sum, { bytes }) => sum + bytes, 0) === ticket.bytes;
  if (!isWhole) throw faults.because('changed', `Not all parts of ${path} are there; send those that are missing.`);
};
