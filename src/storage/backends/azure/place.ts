import { faultOfPath } from '../../../lib/location/storage-path.ts';
import type { StorageFaults } from '../../faults.ts';

const CONTAINER = /^(?:\$root|\$web|\$logs|[a-z0-9](?:-?[a-z0-9]){2,62})$/;
const MAX_BLOB_LENGTH = 1024;
const MAX_NAMES = 254;

/** Refuses what the service would read as another name: it takes a backslash for a slash, and drops dots at the end of names. */
export const demandPath = (path: string, faults: StorageFaults): { readonly container: string; readonly blob: string } => {
  const slash = path.indexOf('/');
  const [container, blob] = slash === -1 ? [path, ''] : [path.slice(0, slash), path.slice(slash + 1)];
  const names = blob.split('/');
  const why =
    faultOfPath(path) ??
    (!CONTAINER.test(container) ? 'begins with no name of a container, which is 3 to 63 small letters, digits and dashes' : undefined) ??
    (blob.includes('\\') ? 'holds a backslash, which the service takes for a slash' : undefined) ??
    (names.some((name) => name.endsWith('.')) ? 'has a name that ends with a dot, which the service drops' : undefined) ??
    (blob.length > MAX_BLOB_LENGTH || names.length > MAX_NAMES ? `is longer than ${MAX_BLOB_LENGTH} characters` : undefined);
  if (why !== undefined) throw faults.badName(path, `it ${why}`);
  return { container, blob };
};

/** The same for a file; a container is none. */
export const demandFile = (path: string, faults: StorageFaults): void => {
  if (path === '' || demandPath(path, faults).blob === '') throw faults.isDirectory(path);
};
