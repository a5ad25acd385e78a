import { createHash } from 'node:crypto';
import { AzureBlobException } from '../../../core/errors.ts';
import type { PartRules, Storage, StorageAbilities, StoredItem, StoreOptions } from '../../../core/storage.ts';
import { systemWait } from '../../../lib/async/wait.ts';
import type { BackendWorld } from '../../backend.ts';
import { createFaults, storageCode } from '../../faults.ts';
import { bodyText, isEmptyStretch, noBytes, rangeHeader, stretchOf } from '../../objects/answers.ts';
import type { Piece } from '../../objects/pieces.ts';
import { storeContent } from '../../objects/store-content.ts';
import { type BlocksTicket, heldBlocks, newUploadId, openBlocks } from './blocks.ts';
import { createAzureClient } from './client.ts';
import { directory, itemIn } from './items.ts';
import { list } from './list.ts';
import { demandFile, demandPath } from './place.ts';
import type { AzureSettings } from './settings.ts';

/*
 * Block blobs of an Azure storage account. One storage is the whole account: the first name of a path is the container, the rest the blob.
 * `client.ts` signs and sends, `blocks.ts` is what arrives in parts, `list.ts` makes directories of names. Directories are implied; blobs
 * that mark one (a slash at the end, `hdi_isfolder`) are shown as such.
 */

const MIB = 1024 * 1024;
const PARTS: PartRules = { minBytes: 1, maxBytes: 4_000 * MIB, maxCount: 50_000, multipleOf: 1, isInOrder: false };
const CAN: StorageAbilities = { range: true, exclusiveWrite: true, directories: 'implied', hashes: ['md5'], parts: PARTS };
const PART_BYTES = 16 * MIB;
const COPY_WAIT_MS = 250;
const DISCARD_MS = 10_000;

/** Opens a connection; nothing is sent before the first call. */
export const openAzure = (settings: AzureSettings, world: BackendWorld): Storage => {
  const { location } = world;
  const faults = createFaults(AzureBlobException, location);
  const client = createAzureClient(settings, world, faults);
  const writing = { client, faults };

  const stat: Storage['stat'] = async (path, { signal }) => {
    if (path === '') return directory(path);
    const { container, blob } = demandPath(path, faults);
    const query = blob === '' ? { restype: 'container' } : {};
    const { status, headers } = await client.tell({ method: 'HEAD', path, query, expected: [404], signal });
    if (status !== 404) {
      const item = blob === '' ? directory(path) : itemIn(path, headers);
      if (!Number.isSafeInteger(item.bytes)) throw faults.because('broken', `The service does not say how long ${path} is.`);
      return item;
    }
    return blob !== '' && (await isDirectory(container, blob, signal)) ? directory(path) : undefined;
  };

  /** Whether a blob lies below, or marks an empty directory. */
  const isDirectory = async (container: string, blob: string, signal: AbortSignal): Promise<boolean> => {
    const query = { restype: 'container', comp: 'list', prefix: `${blob}/`, maxresults: '1' };
    try {
      const page = await client.ask({ method: 'GET', path: container, query, signal });
      return page.children.some(({ name, children }) => name === 'Blobs' && children.length > 0);
    } catch (fault) {
      if (storageCode(fault) === 'not_found') return false; // there is no such container
      throw fault;
    }
  };

  const putWhole = async (
    path: string,
    { content, digests: { md5 } }: Piece,
    { exclusive, confirm, signal }: StoreOptions,
  ): Promise<StoredItem> => {
    const bytes = content.byteLength;
    // The service compares the digest before it shows the blob, so what arrives is what is told here, or nothing.
    confirm?.({ bytes, ...(md5 && { hashes: { md5: md5.toString('hex') } }) });
    const headers = {
      'x-ms-blob-type': 'BlockBlob',
      'content-type': 'application/octet-stream',
      ...(md5 && { 'content-md5': md5.toString('base64') }),
      ...(exclusive === true && { 'if-none-match': '*' }),
    };
    const answer = await client.tell({ method: 'PUT', path, headers, body: content, signal });
    return itemIn(path, answer.headers, { bytes, md5: md5?.toString('base64') });
  };

  /** Inside of an account a copy is done at once; the service may still take its time. */
  const copied = async (to: string, begun: Readonly<Record<string, string | undefined>>, signal: AbortSignal): Promise<void> => {
    try {
      let status = begun['x-ms-copy-status'];
      while (status === 'pending') {
        await systemWait(COPY_WAIT_MS, signal);
        status = (await client.tell({ method: 'HEAD', path: to, signal })).headers['x-ms-copy-status'];
      }
      if (status === 'failed' || status === 'aborted')
        throw faults.because('broken', `The service has given up the copy to ${to}; copy it again.`, { retryable: true });
    } catch (fault) {
      const query = { comp: 'copy', copyid: begun['x-ms-copy-id'] };
      const stop = { method: 'PUT', path: to, query, headers: { 'x-ms-copy-action': 'abort' }, expected: [409] } as const;
      // What went wrong first is what is told.
      if (signal.aborted) await client.tell({ ...stop, signal: AbortSignal.timeout(DISCARD_MS) }).catch(() => undefined);
      throw fault;
    }
  };

  return {
    location,
    can: CAN,
    stat,
    list: (path, options) => list({ client, faults }, path, options),
    async read(path, { stretch, version, signal }) {
      demandFile(path, faults);
      if (isEmptyStretch(stretch)) {
        if ((await stat(path, { signal }))?.kind !== 'file') throw faults.notFound(path);
        return noBytes();
      }
      const headers = { ...rangeHeader(stretch), ...(version !== undefined && { 'if-match': `"${version}"` }) };
      const answer = await client.send({ method: 'GET', path, headers, expected: [416], signal });
      if (answer.status !== 416) return stretchOf(answer, { stretch, host: client.host, path, faults, signal });
      await bodyText(answer, MIB, { host: client.host, faults, signal });
      return noBytes(); // the stretch begins behind the end
    },
    async write(path, content, options) {
      demandFile(path, faults);
      const { signal, confirm, exclusive = false } = options;
      // Much is not sent before a look.
      if (exclusive && (content.bytes ?? MIB) >= MIB && (await stat(path, { signal }))?.kind === 'file') throw faults.exists(path);
      const usual = Math.max(PART_BYTES, Math.ceil((content.bytes ?? 0) / PARTS.maxCount));
      const whole = createHash('md5');
      return storeContent(content, {
        bytesOf: () => usual,
        digests: ['md5'],
        ...((content.bytes === undefined || content.bytes > usual) && { watch: (chunk) => void whole.update(chunk) }),
        putWhole: (piece) => putWhole(path, piece, options),
        async start() {
          const blocks = openBlocks(writing, path, { id: newUploadId(), exclusive, confirm, wholeMd5: () => whole.digest() });
          return {
            put: blocks.putPiece,
            commit: (parts, until) => blocks.commit(parts, { signal: until }),
            discard: () => blocks.discard({ signal: AbortSignal.timeout(DISCARD_MS) }),
          };
        },
        signal,
        faults,
        path,
      });
    },
    async remove(path, { signal }) {
      demandFile(path, faults);
      const headers = { 'x-ms-delete-snapshots': 'include' };
      return (await client.tell({ method: 'DELETE', path, headers, expected: [404], signal })).status !== 404;
    },
    async copy(from, to, { signal, exclusive = false, confirm }) {
      demandFile(from, faults);
      demandFile(to, faults);
      const found = await stat(from, { signal });
      if (found?.kind !== 'file') throw found === undefined ? faults.notFound(from) : faults.isDirectory(from);
      confirm?.(found);
      const headers = {
        'x-ms-copy-source': client.sourceUrl(from),
        ...(found.version !== undefined && { 'x-ms-source-if-match': `"${found.version}"` }),
        ...(exclusive && { 'if-none-match': '*' }),
      };
      const { headers: begun } = await client.tell({ method: 'PUT', path: to, headers, signal });
      await copied(to, begun, signal);
      const item = await stat(to, { signal });
      if (item?.bytes !== found.bytes)
        throw faults.because('broken', `${to} is no whole copy of ${from}; copy it again.`, { retryable: true });
      return item;
    },
    async startParts(path, { signal, exclusive = false, confirm }) {
      demandFile(path, faults);
      if (exclusive && (await stat(path, { signal }))?.kind === 'file') throw faults.exists(path);
      return openBlocks(writing, path, { id: newUploadId(), exclusive, confirm });
    },
    async resumeParts(path, ticket, { signal }) {
      demandFile(path, faults);
      const { upload_id: id, exclusive = false } = ticket as unknown as Partial<BlocksTicket>; // made by `openBlocks`
      const held = id === undefined ? undefined : await heldBlocks(writing, path, id, signal);
      return held && id !== undefined ? openBlocks(writing, path, { id, held, exclusive }) : undefined;
    },
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  };
};
