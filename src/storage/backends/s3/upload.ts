import { createHash } from 'node:crypto';
import type { HeldPart, Outgoing, PartedWrite, StoredItem, StoreOptions } from '../../../core/storage.ts';
import { textAt } from '../../../lib/data/xml/read-xml.ts';
import type { StorageFaults } from '../../faults.ts';
import { storageCode } from '../../faults.ts';
import { inPieces, type Piece, type PieceDigest } from '../../objects/pieces.ts';
import type { S3Body, S3Client, S3Request } from './client.ts';
import { etagOf } from './items.ts';
import type { S3Place } from './place.ts';

export interface S3Writing {
  readonly client: S3Client;
  readonly faults: StorageFaults;
  readonly checksum: 'sha256' | 'md5' | 'none';
  stat(path: string, options: { readonly signal: AbortSignal }): Promise<StoredItem | undefined>;
}

/** Everything that is needed to go on with an upload. */
export interface UploadTicket {
  readonly upload_id: string;
  readonly exclusive?: boolean;
}

/** Larger parts are not held in memory: they are read twice, for the digest and for sending. */
const HELD_BYTES = 64 * 1024 * 1024;
const DISCARD_MS = 10_000;

/** The digests that a body is sent with. */
export const digestsFor = ({ client, checksum }: S3Writing, isWhole: boolean): readonly PieceDigest[] => [
  ...(checksum !== 'none' ? (['md5'] as const) : []),
  ...(!client.isSecure || (isWhole && checksum === 'sha256') ? (['sha256'] as const) : []),
];

/** What the server compares the body with. */
export const bodyOf = (
  writing: S3Writing,
  { content, digests: { md5, sha256 } }: Piece,
): { readonly body: S3Body; readonly headers: Record<string, string> } => ({
  body: { content, sha256: writing.client.isSecure ? undefined : sha256?.toString('hex') },
  headers: md5 === undefined ? {} : { 'content-md5': md5.toString('base64') },
});

export const startUpload = async (writing: S3Writing, { bucket, key }: S3Place, signal: AbortSignal): Promise<string> => {
  const answer = await writing.client.ask({ method: 'POST', bucket, key, query: { uploads: '' }, signal });
  const id = textAt(answer, 'UploadId');
  if (id === undefined || id === '')
    throw writing.faults.because('broken', `The server starts an upload to ${bucket}/${key} without an id.`);
  return id;
};

/** An upload in parts that the server holds until it is committed. */
export const openUpload = (
  writing: S3Writing,
  place: S3Place,
  {
    id,
    held,
    exclusive = false,
    confirm,
  }: { readonly id: string; readonly held: readonly HeldPart[] } & Pick<StoreOptions, 'exclusive' | 'confirm'>,
): PartedWrite & { putPiece(piece: Piece, signal: AbortSignal): Promise<HeldPart> } => {
  const { client, faults } = writing;
  const { bucket, key, path } = place;
  const ticket: UploadTicket = { upload_id: id, ...(exclusive && { exclusive }) };
  const at = (more: Pick<S3Request, 'method' | 'signal'> & Partial<S3Request>): S3Request => ({ bucket, key, ...more });

  const sendPart = async (
    number: number,
    bytes: number,
    { body, headers }: ReturnType<typeof bodyOf>,
    signal: AbortSignal,
  ): Promise<HeldPart> => {
    const query = { partNumber: String(number), uploadId: id };
    const answer = await client.tell(at({ method: 'PUT', query, headers, body, signal }));
    const receipt = etagOf(answer.headers.etag);
    if (receipt === undefined) throw faults.because('broken', `The server gives no receipt for part ${number} of ${path}.`);
    return { number, bytes, receipt };
  };

  const putPiece = (piece: Piece, signal: AbortSignal) => sendPart(piece.number, piece.content.byteLength, bodyOf(writing, piece), signal);

  return {
    ticket: { ...ticket },
    held,
    putPiece,
    async put(number, content, { signal }) {
      const digests = digestsFor(writing, false);
      if (content.bytes > HELD_BYTES)
        return sendPart(number, content.bytes, await readTwice(content, { digests, signal, isSecure: client.isSecure }), signal);
      const one = inPieces(content, { signal, bytesOf: () => Math.max(1, content.bytes), digests, free: [] });
      const { value: piece } = await one.next();
      await one.return(undefined);
      if (piece?.isLast !== true || piece.content.byteLength !== content.bytes)
        throw faults.because('changed', `The source of part ${number} of ${path} has another length than it said; start again.`);
      return putPiece({ ...piece, number }, signal);
    },
    async commit(parts, { signal }) {
      const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
      confirm?.({ bytes });
      if (exclusive && (await writing.stat(path, { signal }))?.kind === 'file') throw faults.exists(path);
      const etag = compositeOf(parts);
      try {
        const headers: Record<string, string> = exclusive ? { 'if-none-match': '*' } : {};
        await client.ask(at({ method: 'POST', query: { uploadId: id }, headers, body: documentOf(parts), signal }));
      } catch (fault) {
        await demandCommitted(writing, { path, etag, exclusive, fault, signal });
      }
      const item = await writing.stat(path, { signal });
      if (item?.kind !== 'file' || item.bytes !== bytes)
        throw faults.because('broken', `${path} has ${item?.bytes ?? 0} bytes at the server instead of ${bytes}; send it again.`);
      return { ...item, verified: item.version === etag ? 'etag' : 'size' };
    },
    async discard({ signal }) {
      await client.tell(at({ method: 'DELETE', query: { uploadId: id }, expected: [404], signal }));
    },
  };
};

/** Gives an upload up, whatever else is being cancelled. */
export const discardSoon = (write: PartedWrite): Promise<void> => write.discard({ signal: AbortSignal.timeout(DISCARD_MS) });

interface Doubt {
  readonly path: string;
  readonly etag: string | undefined;
  readonly exclusive: boolean;
  readonly fault: unknown;
  readonly signal: AbortSignal;
}

/** An upload that is gone may have been committed by a request whose answer was lost: then the file is there as it was meant. */
const demandCommitted = async (writing: S3Writing, { path, etag, exclusive, fault, signal }: Doubt): Promise<void> => {
  const code = storageCode(fault);
  if (code === 'changed' && exclusive) throw writing.faults.exists(path);
  if (code !== 'not_found' || etag === undefined) throw fault;
  if ((await writing.stat(path, { signal }))?.version !== etag) throw fault;
};

/** All parts that the server holds; undefined where it has forgotten the upload. */
export const heldParts = async (
  { client, faults }: S3Writing,
  { bucket, key }: S3Place,
  id: string,
  signal: AbortSignal,
): Promise<HeldPart[] | undefined> => {
  const held: HeldPart[] = [];
  let marker: string | undefined;
  for (;;) {
    const query = { uploadId: id, 'part-number-marker': marker };
    const page = await client.ask({ method: 'GET', bucket, key, query, signal }).catch((fault: unknown) => {
      if (storageCode(fault) === 'not_found') return undefined;
      throw fault;
    });
    if (page === undefined) return undefined;
    for (const part of page.children) {
      if (part.name !== 'Part') continue;
      const [number, bytes, receipt] = [Number(textAt(part, 'PartNumber')), Number(textAt(part, 'Size')), etagOf(textAt(part, 'ETag'))];
      if (!Number.isSafeInteger(number) || !Number.isSafeInteger(bytes) || receipt === undefined)
        throw faults.because('broken', `The server tells nonsense of the parts of ${bucket}/${key}.`);
      held.push({ number, bytes, receipt });
    }
    const next = textAt(page, 'NextPartNumberMarker');
    if (textAt(page, 'IsTruncated') !== 'true' || next === undefined || next === marker) return held;
    marker = next;
  }
};

/** The ETag of a file out of parts: the MD5 of their MD5s, and their number. */
const compositeOf = (parts: readonly HeldPart[]): string | undefined => {
  if (!parts.every(({ receipt }) => /^[0-9a-f]{32}$/.test(receipt))) return undefined;
  const all = Buffer.concat(parts.map(({ receipt }) => Buffer.from(receipt, 'hex')));
  return `${createHash('md5').update(all).digest('hex')}-${parts.length}`;
};

const documentOf = (parts: readonly HeldPart[]): S3Body => {
  const named = parts.map(
    ({ number, receipt }) => `<Part><PartNumber>${number}</PartNumber><ETag>${escaped(`"${receipt}"`)}</ETag></Part>`,
  );
  return document(`<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${named.join('')}</CompleteMultipartUpload>`);
};

const document = (text: string): S3Body => {
  const content = Buffer.from(text);
  return { content, sha256: createHash('sha256').update(content).digest('hex') };
};

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

interface Twice {
  readonly digests: readonly PieceDigest[];
  readonly signal: AbortSignal;
  readonly isSecure: boolean;
}

const readTwice = async (
  content: Outgoing & { readonly bytes: number },
  { digests, signal, isSecure }: Twice,
): Promise<ReturnType<typeof bodyOf>> => {
  const hashes = digests.map((name) => [name, createHash(name)] as const);
  for await (const chunk of content.chunks({ start: 0 }, { signal })) for (const [, hash] of hashes) hash.update(chunk);
  const made = new Map(hashes.map(([name, hash]) => [name, hash.digest()]));
  const md5 = made.get('md5')?.toString('base64');
  return {
    body: {
      content: { bytes: content.bytes, chunks: () => content.chunks({ start: 0 }, { signal }) },
      sha256: isSecure ? undefined : made.get('sha256')?.toString('hex'),
    },
    headers: md5 === undefined ? {} : { 'content-md5': md5 },
  };
};
