import { faultOfPath } from '../../../lib/location/storage-path.ts';
import type { StorageFaults } from '../../faults.ts';

/** Where a path leads: the first name is the bucket, the rest the key. */
export interface S3Place {
  readonly path: string;
  readonly bucket: string;
  /** The empty text for the bucket itself. */
  readonly key: string;
}

/** Longer keys are refused by the service. */
const MAX_KEY_BYTES = 1024;
/** What any server takes as a bucket, and what can stand in a path and in front of a host. */
const BUCKET = /^[A-Za-z0-9][A-Za-z0-9._-]{1,254}$/;

export const placeOf = (path: string, faults: StorageFaults): S3Place => {
  const slash = path.indexOf('/');
  const [bucket, key] = slash === -1 ? [path, ''] : [path.slice(0, slash), path.slice(slash + 1)];
  if (!BUCKET.test(bucket)) throw faults.badName(path, 'a bucket is called by 3 or more letters, digits, dots and dashes');
  const fault = faultOfPath(path);
  if (fault !== undefined) throw faults.badName(path, `it ${fault}`);
  if (Buffer.byteLength(key) > MAX_KEY_BYTES) throw faults.badName(path, `its key has more than ${MAX_KEY_BYTES} bytes`);
  return { path, bucket, key };
};

/** The place of a file; a bucket is none. */
export const filePlace = (path: string, faults: StorageFaults): S3Place => {
  if (path === '') throw faults.isDirectory(path);
  const place = placeOf(path, faults);
  if (place.key === '') throw faults.isDirectory(path);
  return place;
};
