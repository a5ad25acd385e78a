import { S3Exception } from '../../../core/errors.ts';
import type { PartRules, Storage, StorageAbilities, StoredItem, StoreOptions } from '../../../core/storage.ts';
import type { BackendWorld } from '../../backend.ts';
import { createFaults, storageCode } from '../../faults.ts';
import { bodyText, isEmptyStretch, noBytes, rangeHeader, stretchOf } from '../../objects/answers.ts';
import type { Piece } from '../../objects/pieces.ts';
import { storeContent } from '../../objects/store-content.ts';
import { createS3Client } from './client.ts';
import { copyObject } from './copy.ts';
import { findCredentials, findRegion } from './credentials/find-credentials.ts';
import { renewed } from './credentials/renewed.ts';
import type { CredentialSources } from './credentials/sources.ts';
import { directory, itemOf } from './items.ts';
import { list } from './list.ts';
import { filePlace, placeOf, type S3Place } from './place.ts';
import type { S3Settings } from './settings.ts';
import type { S3Credentials } from './sign.ts';
import { bodyOf, digestsFor, discardSoon, heldParts, openUpload, type S3Writing, startUpload, type UploadTicket } from './upload.ts';

/*
 * Amazon S3 and servers that speak its protocol. One storage is the whole connection: the first name of a path is the bucket, the rest the
 * key. `client.ts` signs and sends, `upload.ts` is what arrives in parts, `list.ts` makes directories of keys, `credentials/` is the usual
 * chain. Directories are implied by keys; an object whose key ends in a slash marks one and is never shown as a file.
 */

const MIB = 1024 * 1024;
const PARTS: PartRules = { minBytes: 5 * MIB, maxBytes: 5 * 1024 * MIB, maxCount: 10_000, multipleOf: 1, isInOrder: false };
const PART_BYTES = 16 * MIB;
/** Content of unknown length grows beyond what parts of the usual size could hold: from here on parts are larger. */
const LARGER_FROM = 2_000;
const LARGER_BYTES = 64 * MIB;
const CREDENTIALS_MS = 15_000;

/** Opens a connection; nothing is sent before the first call. Without keys the credentials are looked for in `sources`. */
export const openS3 = (settings: S3Settings, world: BackendWorld, sources?: CredentialSources): Storage => {
  const { location } = world;
  const faults = createFaults(S3Exception, location);
  const isAmazon = settings.endpoint_url === undefined;
  const { checksum = isAmazon ? 'sha256' : 'md5', exclusive_writes: exclusiveWrite = isAmazon } = settings;

  const find = async (): Promise<S3Credentials | undefined> => {
    const { anonymous = false, aws_access_key_id: accessKeyId, aws_secret_access_key: secretAccessKey } = settings;
    if (anonymous) return undefined;
    if (accessKeyId !== undefined && secretAccessKey !== undefined)
      return { accessKeyId, secretAccessKey, sessionToken: settings.aws_session_token };
    if (sources !== undefined && accessKeyId === undefined) return findCredentials(sources, faults, AbortSignal.timeout(CREDENTIALS_MS));
    throw faults.because('denied', 'The connection has no keys; give it aws_access_key_id and aws_secret_access_key, or anonymous = true.');
  };
  const client = createS3Client({
    settings,
    world,
    faults,
    credentials: renewed(find, world.clock.now),
    findRegion: async () => (sources === undefined ? undefined : findRegion(sources)),
  });

  const stat: Storage['stat'] = async (path, { signal }) => {
    if (path === '') return directory(path);
    const { bucket, key } = placeOf(path, faults);
    const headers: Record<string, string> = checksum === 'sha256' && key !== '' ? { 'x-amz-checksum-mode': 'ENABLED' } : {};
    const answer = await client.tell({ method: 'HEAD', bucket, key, headers, expected: [404], signal });
    if (answer.status !== 404) {
      if (key === '') return directory(path);
      const item = itemOf(path, answer.headers);
      if (!Number.isSafeInteger(item.bytes)) throw faults.because('broken', `The server does not say how long ${path} is.`);
      return item;
    }
    if (key === '') return undefined;
    return (await isDirectory(bucket, key, signal)) ? directory(path) : undefined;
  };

  /** Whether a key lies below, or marks an empty directory. */
  const isDirectory = async (bucket: string, key: string, signal: AbortSignal): Promise<boolean> => {
    const query = { 'list-type': '2', prefix: `${key}/`, 'max-keys': '1' };
    try {
      const page = await client.ask({ method: 'GET', bucket, query: { ...query, 'encoding-type': 'url' }, signal });
      return page.children.some(({ name }) => name === 'Contents');
    } catch (fault) {
      if (storageCode(fault) === 'not_found') return false; // there is no such bucket
      throw fault;
    }
  };

  const writing: S3Writing = { client, faults, checksum, stat };

  const putWhole = async (
    { path, bucket, key }: S3Place,
    piece: Piece,
    { exclusive, confirm, signal }: StoreOptions,
  ): Promise<StoredItem> => {
    const { body, headers } = bodyOf(writing, piece);
    const { md5, sha256 } = piece.digests;
    const kept = checksum === 'sha256' ? sha256 : undefined;
    const hashes = { ...(md5 && { md5: md5.toString('hex') }), ...(kept && { sha256: kept.toString('hex') }) };
    // The server compares the digests before it shows the file, so what arrives is what is told here, or nothing.
    confirm?.({ bytes: piece.content.byteLength, hashes });
    const sent = {
      ...headers,
      ...(kept && { 'x-amz-checksum-sha256': kept.toString('base64') }),
      ...(exclusive === true && { 'if-none-match': '*' }),
    };
    try {
      const answer = await client.tell({ method: 'PUT', bucket, key, headers: sent, body, signal });
      const { hashes: told, ...item } = itemOf(path, answer.headers, piece.content.byteLength);
      if (told?.md5 !== undefined && hashes.md5 !== undefined && told.md5 !== hashes.md5)
        throw faults.because('broken', `${path} did not arrive as it was sent: its MD5 is another one; send it again.`, {
          retryable: true,
        });
      const all = { ...told, ...(kept && { sha256: kept.toString('hex') }) };
      return { ...item, ...(Object.keys(all).length > 0 && { hashes: all }) };
    } catch (fault) {
      if (exclusive === true && storageCode(fault) === 'changed') throw faults.exists(path);
      // Ceph says that of a write that met another one of the same key; it has nothing to do with what was there.
      if (fault instanceof S3Exception && fault.context.server_code === 'NoSuchKey')
        throw faults.because('busy', `${path} is being written by others; try again.`, { context: fault.context, retryable: true });
      throw fault;
    }
  };

  const demandExclusive = async (
    path: string,
    { exclusive = false, signal }: StoreOptions,
    bytes = Number.POSITIVE_INFINITY,
  ): Promise<void> => {
    if (!exclusive) return;
    if (!exclusiveWrite) throw faults.unsupported('This server is not known to refuse replacing; set exclusive_writes if it does.', path);
    // Much is not sent before a look.
    if (bytes > MIB && (await stat(path, { signal }))?.kind === 'file') throw faults.exists(path);
  };

  return {
    location,
    can: {
      range: true,
      exclusiveWrite,
      directories: 'implied',
      hashes: checksum === 'none' ? [] : [checksum],
      parts: PARTS,
    } satisfies StorageAbilities,
    stat,
    list: (path, options) => list({ client, faults }, path, options),
    async read(path, { stretch, version, signal }) {
      const { bucket, key } = filePlace(path, faults);
      if (isEmptyStretch(stretch)) {
        if ((await stat(path, { signal }))?.kind !== 'file') throw faults.notFound(path);
        return noBytes();
      }
      const headers = { ...rangeHeader(stretch), ...(version !== undefined && { 'if-match': `"${version}"` }) };
      const answer = await client.send({ method: 'GET', bucket, key, headers, expected: [416], signal });
      if (answer.status !== 416) return stretchOf(answer, { stretch, host: answer.host, path, faults, signal });
      await bodyText(answer, MIB, { host: answer.host, faults, signal });
      return noBytes(); // the stretch begins behind the end
    },
    async write(path, content, options) {
      const { signal, confirm, exclusive = false } = options;
      const place = filePlace(path, faults);
      await demandExclusive(path, options, content.bytes);
      const usual = Math.max(PART_BYTES, Math.ceil((content.bytes ?? 0) / PARTS.maxCount));
      return storeContent(content, {
        bytesOf: (number) => (content.bytes === undefined && number > LARGER_FROM ? LARGER_BYTES : usual),
        digests: digestsFor(writing, (content.bytes ?? 0) <= PART_BYTES),
        putWhole: (piece) => putWhole(place, piece, options),
        async start() {
          const id = await startUpload(writing, place, signal);
          const upload = openUpload(writing, place, { id, held: [], exclusive, confirm });
          return {
            put: upload.putPiece,
            commit: (parts, until) => upload.commit(parts, { signal: until }),
            discard: () => discardSoon(upload),
          };
        },
        signal,
        faults,
        path,
      });
    },
    async remove(path, { signal }) {
      const { bucket, key } = filePlace(path, faults);
      // A removal tells nothing of what was there.
      const { status } = await client.tell({ method: 'HEAD', bucket, key, expected: [404], signal });
      if (status === 404) return false;
      await client.tell({ method: 'DELETE', bucket, key, expected: [404], signal });
      return true;
    },
    async copy(from, to, options) {
      await demandExclusive(to, options);
      return copyObject(writing, from, to, options);
    },
    async startParts(path, options) {
      const place = filePlace(path, faults);
      await demandExclusive(path, options);
      const id = await startUpload(writing, place, options.signal);
      return openUpload(writing, place, { id, held: [], exclusive: options.exclusive ?? false, confirm: options.confirm });
    },
    async resumeParts(path, ticket, { signal }) {
      const place = filePlace(path, faults);
      const { upload_id: id, exclusive = false } = ticket as unknown as Partial<UploadTicket>; // made by `openUpload`
      if (id === undefined) return undefined;
      const held = await heldParts(writing, place, id, signal);
      return held && openUpload(writing, place, { id, held, exclusive });
    },
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  };
};
