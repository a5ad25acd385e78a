import type { HeldPart, StoredItem, StoreOptions } from '../../../core/storage.ts';
import { boundedMap } from '../../../lib/async/bounded-map.ts';
import { textAt } from '../../../lib/data/xml/read-xml.ts';
import { storageCode } from '../../faults.ts';
import { etagOf } from './items.ts';
import { filePlace, type S3Place } from './place.ts';
import { encodeKey } from './sign.ts';
import { discardSoon, openUpload, type S3Writing, startUpload } from './upload.ts';

/** Above it a copy is made in parts. */
const MAX_COPY_BYTES = 5 * 1024 ** 3;
const PART_BYTES = 512 * 1024 ** 2;
const MAX_PARTS = 10_000;
const UNDER_WAY = 4;

/** Copies a file inside of the service; one that changes meanwhile is not copied. */
export const copyObject = async (
  writing: S3Writing,
  from: string,
  to: string,
  {
    signal,
    exclusive = false,
    confirm,
    maxBytes = MAX_COPY_BYTES,
    partBytes = PART_BYTES,
  }: StoreOptions & { readonly maxBytes?: number; readonly partBytes?: number },
): Promise<StoredItem> => {
  const { client, faults } = writing;
  const source = filePlace(from, faults);
  const target = filePlace(to, faults);
  const found = await writing.stat(from, { signal });
  if (found?.kind !== 'file') throw found === undefined ? faults.notFound(from) : faults.isDirectory(from);
  if (exclusive && (await writing.stat(to, { signal }))?.kind === 'file') throw faults.exists(to);
  confirm?.(found);
  if (from === to) return found; // the service refuses a copy onto itself that changes nothing
  if (found.bytes > maxBytes) return copyInParts(writing, { source, target, found, exclusive, partBytes, signal });
  try {
    const answer = await client.ask({
      method: 'PUT',
      bucket: target.bucket,
      key: target.key,
      headers: { ...sourceHeaders(source, found), ...(exclusive && { 'if-none-match': '*' }) },
      signal,
    });
    const version = etagOf(textAt(answer, 'ETag'));
    const modifiedMs = Date.parse(textAt(answer, 'LastModified') ?? '');
    const { modifiedMs: _old, version: _other, ...same } = found;
    return { ...same, path: to, ...(Number.isFinite(modifiedMs) && { modifiedMs }), ...(version !== undefined && { version }) };
  } catch (fault) {
    if (storageCode(fault) === 'changed' && exclusive && (await writing.stat(to, { signal }))?.kind === 'file') throw faults.exists(to);
    throw fault;
  }
};

const sourceHeaders = ({ bucket, key }: S3Place, { version }: StoredItem): Record<string, string> => ({
  'x-amz-copy-source': `/${bucket}/${encodeKey(key)}`,
  ...(version !== undefined && { 'x-amz-copy-source-if-match': `"${version}"` }),
});

interface LargeCopy {
  readonly source: S3Place;
  readonly target: S3Place;
  readonly found: StoredItem;
  readonly exclusive: boolean;
  readonly partBytes: number;
  readonly signal: AbortSignal;
}

const copyInParts = async (writing: S3Writing, { source, target, found, exclusive, partBytes, signal }: LargeCopy): Promise<StoredItem> => {
  const size = Math.max(partBytes, Math.ceil(found.bytes / MAX_PARTS));
  const starts = Array.from({ length: Math.ceil(found.bytes / size) }, (_, at) => at * size);
  const id = await startUpload(writing, target, signal);
  const upload = openUpload(writing, target, { id, held: [], exclusive });
  try {
    const parts = await boundedMap(starts, UNDER_WAY, async (start, at): Promise<HeldPart> => {
      const end = Math.min(start + size, found.bytes);
      const answer = await writing.client.ask({
        method: 'PUT',
        bucket: target.bucket,
        key: target.key,
        query: { partNumber: String(at + 1), uploadId: id },
        headers: { ...sourceHeaders(source, found), 'x-amz-copy-source-range': `bytes=${start}-${end - 1}` },
        signal,
      });
      const receipt = etagOf(textAt(answer, 'ETag'));
      if (receipt === undefined)
        throw writing.faults.because('broken', `The server gives no receipt for part ${at + 1} of ${target.path}.`);
      return { number: at + 1, bytes: end - start, receipt };
    });
    return await upload.commit(parts, { signal });
  } catch (fault) {
    await discardSoon(upload).catch(() => undefined); // what went wrong first is what is told
    throw fault;
  }
};
