import type { StoredItem } from '../../../core/storage.ts';

type Headers = Readonly<Record<string, string | undefined>>;

/** The ETag without its quotes: the version of an object. */
export const etagOf = (written: string | undefined): string | undefined => written?.replace(/^W\//, '').replace(/^"(.*)"$/s, '$1');

const MD5 = /^[0-9a-f]{32}$/;

/** The ETag is the MD5 of the content, unless the object came in parts or lies encrypted with a key of its owner's. */
export const md5In = (etag: string | undefined, headers: Headers = {}): string | undefined => {
  const isSealed =
    headers['x-amz-server-side-encryption']?.startsWith('aws:kms') === true ||
    headers['x-amz-server-side-encryption-customer-algorithm'] !== undefined;
  return etag !== undefined && MD5.test(etag) && !isSealed ? etag : undefined;
};

/** What the headers of an object say of it. */
export const itemOf = (path: string, headers: Headers, bytes = Number(headers['content-length'])): StoredItem => {
  const version = etagOf(headers.etag);
  const modifiedMs = Date.parse(headers['last-modified'] ?? '');
  const hashes = hashesIn(headers);
  return {
    path,
    kind: 'file',
    bytes,
    ...(Number.isFinite(modifiedMs) && { modifiedMs }),
    ...(version !== undefined && { version }),
    ...(Object.keys(hashes).length > 0 && { hashes }),
  };
};

const hashesIn = (headers: Headers): NonNullable<StoredItem['hashes']> => {
  const md5 = md5In(etagOf(headers.etag), headers);
  const written = headers['x-amz-checksum-sha256'];
  // With a count behind it, it is a digest of the digests of parts.
  const isWhole = written !== undefined && /^[A-Za-z0-9+/]{43}=$/.test(written) && headers['x-amz-checksum-type'] !== 'COMPOSITE';
  return { ...(md5 !== undefined && { md5 }), ...(isWhole && { sha256: Buffer.from(written, 'base64').toString('hex') }) };
};

export const directory = (path: string): StoredItem => ({ path, kind: 'dir', bytes: 0 });
