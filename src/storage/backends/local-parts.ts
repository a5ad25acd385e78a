import { randomBytes } from 'node:crypto';
import type { Json } from '../../core/errors.ts';
import type { FilePort, Writer } from '../../core/files.ts';
import type { HeldPart, PartedWrite, PartRules, Storage, StoredItem } from '../../core/storage.ts';
import { readOwner } from '../../lib/fs/part-name.ts';
import type { StorageFaults } from '../faults.ts';

const PART_BYTES = 16 * 1024 * 1024;

/** All parts but the last are equally long, so that the number of a part says where it goes. */
export const PARTS: PartRules = {
  minBytes: PART_BYTES,
  maxBytes: PART_BYTES,
  maxCount: 1_000_000,
  multipleOf: PART_BYTES,
  isInOrder: false,
};

/** What is needed to go on with a file in another process of the same start of this machine. */
interface LocalTicket {
  readonly id: string;
  /** What was not synced to the device is lost when the machine stops, so that parts count only until then. */
  readonly boot: string;
  readonly bytes: number;
  readonly modifiedMs: number | null;
}

export interface LocalPartsWorld {
  readonly files: FilePort;
  readonly faults: StorageFaults;
  at(path: string): string;
  itemAt(path: string): Promise<StoredItem>;
}

/** Files of this machine that arrive in parts: written where they belong in a file aside, which stays until it is whole. */
export const localParts = ({ files, faults, at, itemAt }: LocalPartsWorld): Required<Pick<Storage, 'startParts' | 'resumeParts'>> => {
  const openAside = (path: string, { id, bytes, modifiedMs }: LocalTicket, signal: AbortSignal): Promise<Writer> =>
    files.create(at(path), {
      signal,
      keptAs: id,
      expectedBytes: bytes,
      ...(modifiedMs !== null && { mtimeMs: modifiedMs }),
    });

  const parted = (path: string, ticket: LocalTicket, writer: Writer, held: readonly HeldPart[]): PartedWrite => ({
    ticket: { ...ticket },
    held,
    async put(number, content, { signal }) {
      const start = (number - 1) * PART_BYTES;
      if (content.bytes !== Math.min(PART_BYTES, ticket.bytes - start))
        throw faults.because('unsupported', `Part ${number} cannot have ${content.bytes} bytes; parts have ${PART_BYTES}.`);
      let done = 0;
      for await (const chunk of content.chunks({ start: 0 }, { signal })) {
        await writer.writeAt(chunk, start + done);
        done += chunk.byteLength;
      }
      if (done !== content.bytes) throw faults.because('broken', `${done} bytes of part ${number} came instead of ${content.bytes}.`);
      return { number, bytes: done, receipt: String(number) };
    },
    async commit(parts) {
      const sum = parts.reduce((total, { bytes }) => total + bytes, 0);
      if (sum !== ticket.bytes) throw faults.because('broken', `${sum} bytes arrived instead of ${ticket.bytes}; send the rest.`);
      await writer.commit();
      await writer[Symbol.asyncDispose]();
      return itemAt(path);
    },
    leave: async () => writer[Symbol.asyncDispose](),
    async discard() {
      await writer.kept?.discard();
      await writer[Symbol.asyncDispose]();
    },
  });

  return {
    async startParts(path, { signal, bytes, modifiedMs }) {
      if ((await files.stat(at(path)))?.kind === 'dir') throw faults.isDirectory(path);
      const ticket = { id: randomBytes(16).toString('hex'), boot: readOwner().boot, bytes, modifiedMs: modifiedMs ?? null };
      return parted(path, ticket, await openAside(path, ticket, signal), []);
    },
    async resumeParts(path, written, { signal, known = [] }) {
      const ticket = ticketIn(written);
      if (ticket === undefined) return undefined;
      const writer = await openAside(path, ticket, signal);
      const there = writer.kept?.bytes ?? 0;
      const write = parted(
        path,
        ticket,
        writer,
        known.filter(({ number, bytes }) => (number - 1) * PART_BYTES + bytes <= there),
      );
      if (there > 0 && there <= ticket.bytes && ticket.boot === readOwner().boot) return write;
      await write.discard({ signal });
      return undefined;
    },
  };
};

/** A ticket as it came from a note: one that reads otherwise is none. */
const ticketIn = (written: Json): LocalTicket | undefined => {
  if (typeof written !== 'object' || written === null || Array.isArray(written)) return undefined;
  const { id, boot, bytes, modifiedMs } = written as { readonly [key: string]: Json };
  if (typeof id !== 'string' || !/^[0-9a-f]{32}$/.test(id) || typeof boot !== 'string' || typeof bytes !== 'number') return undefined;
  return { id, boot, bytes, modifiedMs: typeof modifiedMs === 'number' ? modifiedMs : null };
};
