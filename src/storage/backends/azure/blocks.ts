import { createHash, randomBytes } from 'node:crypto';
import type { HeldPart, PartedWrite, StoredItem, StoreOptions } from '../../../core/storage.ts';
import { childOf, textAt } from '../../../lib/data/xml/read-xml.ts';
import { type StorageFaults, storageCode } from '../../faults.ts';
import { inPieces, type Piece } from '../../objects/pieces.ts';
import type { AzureClient, AzureRequest } from './client.ts';
import { itemIn } from './items.ts';

export interface AzureWriting {
  readonly client: AzureClient;
  readonly faults: StorageFaults;
}

export interface BlocksTicket {
  readonly upload_id: string;
  readonly exclusive?: boolean;
}

interface BlocksOptions extends Pick<StoreOptions, 'exclusive' | 'confirm'> {
  readonly id: string;
  readonly held?: readonly HeldPart[];
  /** The MD5 of the whole, where it was made on the way. */
  readonly wholeMd5?: () => Buffer;
}

/** Larger blocks are not held in memory: they are read twice, for the digest and for sending. */
const HELD_BYTES = 64 * 1024 * 1024;
/** The block that says of an upload that it was given up; no part has its number. */
const GIVEN_UP = 0;

export const newUploadId = (): string => randomBytes(16).toString('hex');

/** All ids of a blob must have the same length. */
const blockId = (upload: string, number: number): string => Buffer.from(`${upload}-${String(number).padStart(5, '0')}`).toString('base64');

/** A blob whose blocks the service holds until their list is put; it forgets those of which no list comes within a week. */
export const openBlocks = (
  { client, faults }: AzureWriting,
  path: string,
  { id, held = [], exclusive = false, confirm, wholeMd5 }: BlocksOptions,
): PartedWrite & { putPiece(piece: Piece, signal: AbortSignal): Promise<HeldPart> } => {
  const ticket: BlocksTicket = { upload_id: id, ...(exclusive && { exclusive }) };

  const putBlock = async (
    number: number,
    bytes: number,
    sent: Pick<AzureRequest, 'headers' | 'body'>,
    signal: AbortSignal,
  ): Promise<HeldPart> => {
    const receipt = blockId(id, number);
    await client.tell({ method: 'PUT', path, query: { comp: 'block', blockid: receipt }, ...sent, signal });
    return { number, bytes, receipt };
  };
  const putPiece = ({ number, content, digests: { md5 } }: Piece, signal: AbortSignal) =>
    putBlock(
      number,
      content.byteLength,
      { body: content, headers: md5 === undefined ? {} : { 'content-md5': md5.toString('base64') } },
      signal,
    );

  return {
    ticket: { ...ticket },
    held,
    putPiece,
    async put(number, content, { signal }) {
      const changed = () =>
        faults.because('changed', `The source of part ${number} of ${path} has another length than it said; start again.`);
      if (content.bytes > HELD_BYTES) {
        const hash = createHash('md5');
        for await (const chunk of content.chunks({ start: 0 }, { signal })) hash.update(chunk);
        const body = { bytes: content.bytes, chunks: () => content.chunks({ start: 0 }, { signal }) };
        return putBlock(number, content.bytes, { body, headers: { 'content-md5': hash.digest('base64') } }, signal);
      }
      const one = inPieces(content, { signal, bytesOf: () => Math.max(1, content.bytes), digests: ['md5'], free: [] });
      const { value: piece } = await one.next();
      await one.return(undefined);
      if (piece?.isLast !== true || piece.content.byteLength !== content.bytes) throw changed();
      return putPiece({ ...piece, number }, signal);
    },
    async commit(parts, { signal }): Promise<StoredItem> {
      const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
      const md5 = wholeMd5?.();
      confirm?.({ bytes, ...(md5 && { hashes: { md5: md5.toString('hex') } }) });
      const headers = {
        ...(md5 && { 'x-ms-blob-content-md5': md5.toString('base64') }),
        ...(exclusive && { 'if-none-match': '*' }),
      };
      const query = { comp: 'blocklist' };
      try {
        const answer = await client.tell({ method: 'PUT', path, query, headers, body: blockList(parts), signal });
        return itemIn(path, answer.headers, { bytes, md5: md5?.toString('base64') });
      } catch (fault) {
        // A list whose answer was lost is put already: then these very blocks make the blob.
        const committed =
          storageCode(fault) === 'changed' || storageCode(fault) === 'exists' ? await committedBlocks(client, path, signal) : [];
        if (committed.length === 0 || committed.join() !== parts.map(({ receipt }) => receipt).join()) throw fault;
        const { headers: now } = await client.tell({ method: 'HEAD', path, signal });
        return itemIn(path, now);
      }
    },
    async discard({ signal }) {
      // Nothing removes blocks but time, so that one of them says that nobody wants them any more.
      await client.tell({ method: 'PUT', path, query: { comp: 'block', blockid: blockId(id, GIVEN_UP) }, body: Buffer.from('x'), signal });
    },
  };
};

/** What the service holds of an upload; undefined where it has forgotten it, or it was given up. */
export const heldBlocks = async (
  { client }: AzureWriting,
  path: string,
  upload: string,
  signal: AbortSignal,
): Promise<HeldPart[] | undefined> => {
  const list = await client
    .ask({ method: 'GET', path, query: { comp: 'blocklist', blocklisttype: 'uncommitted' }, signal })
    .catch((fault: unknown) => {
      if (storageCode(fault) === 'not_found') return undefined;
      throw fault;
    });
  const held: HeldPart[] = [];
  for (const block of childOf(list, 'UncommittedBlocks')?.children ?? []) {
    const [receipt, bytes] = [textAt(block, 'Name') ?? '', Number(textAt(block, 'Size'))];
    const number = Number(/^([0-9a-f]{32})-(\d{5})$/.exec(Buffer.from(receipt, 'base64').toString())?.[2] ?? Number.NaN);
    if (receipt !== blockId(upload, number) || !Number.isSafeInteger(bytes)) continue; // somebody else's
    if (number === GIVEN_UP) return undefined;
    held.push({ number, bytes, receipt });
  }
  return held.length === 0 ? undefined : held.sort((one, other) => one.number - other.number);
};

const committedBlocks = async (client: AzureClient, path: string, signal: AbortSignal): Promise<string[]> => {
  const list = await client.ask({ method: 'GET', path, query: { comp: 'blocklist', blocklisttype: 'committed' }, signal });
  return (childOf(list, 'CommittedBlocks')?.children ?? []).map((block) => textAt(block, 'Name') ?? '');
};

const blockList = (parts: readonly HeldPart[]): Buffer =>
  Buffer.from(
    `<?xml version="1.0" encoding="utf-8"?><BlockList>${parts.map(({ receipt }) => `<Latest>${receipt}</Latest>`).join('')}</BlockList>`,
  );
