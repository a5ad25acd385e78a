import type { StoredItem } from '../../../core/storage.ts';

/** What is told of a blob, in a list or by headers. */
export interface BlobFacts {
  readonly bytes: number;
  readonly etag: string | undefined;
  readonly modified: string | undefined;
  /** In base64. */
  readonly md5: string | undefined;
}

export const directory = (path: string): StoredItem => ({ path, kind: 'dir', bytes: 0 });

export const itemOf = (path: string, { bytes, etag, modified, md5 }: BlobFacts): StoredItem => {
  const modifiedMs = Date.parse(modified ?? '');
  return {
    path,
    kind: 'file',
    bytes,
    ...(Number.isFinite(modifiedMs) && { modifiedMs }),
    ...(etag !== undefined && { version: etag.replaceAll('"', '') }),
    ...(md5 !== undefined && /^[A-Za-z0-9+/]{22}==$/.test(md5) && { hashes: { md5: Buffer.from(md5, 'base64').toString('hex') } }),
  };
};

type Headers = Readonly<Record<string, string | undefined>>;

/** An account with directories of its own shows them as empty blobs with this mark. */
export const isFolder = (headers: Headers): boolean => headers['x-ms-meta-hdi_isfolder']?.toLowerCase() === 'true';

export const itemIn = (path: string, headers: Headers, more: Partial<BlobFacts> = {}): StoredItem =>
  isFolder(headers)
    ? directory(path)
    : itemOf(path, {
        bytes: Number(headers['content-length']),
        etag: headers.etag,
        modified: headers['last-modified'],
        md5: headers['content-md5'],
        ...more,
      });
