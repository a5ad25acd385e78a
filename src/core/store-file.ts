import { basename, dirname, join } from 'node:path';
import type { Context } from './context.ts';
import { type AuditException, type QueueException, StoreException } from './errors.ts';

/**
 * Where the store is that a caller names, as a path without links. A store opens its file by name, so that must not be a link, and
 * writes beside it even to read, so the caller must be allowed to write there.
 */
export const storeFile = async (
  { files }: Pick<Context, 'files'>,
  given: string,
  /** What a family calls its trouble with a store. */
  Trouble: typeof StoreException | typeof QueueException | typeof AuditException = StoreException,
): Promise<string> => {
  const entry = await files.stat(given, { followLinks: false });
  if (entry !== undefined && entry.kind !== 'file') {
    throw new Trouble(`The store at ${given} must be a file, not a ${entry.kind}; name another path.`, {
      context: { argument: 'db_path', path: given },
    });
  }
  const absolute = files.absolute(given);
  if (entry === undefined) await files.makeDir(dirname(absolute), { parents: true });
  const { root } = await files.grant(dirname(absolute), 'write');
  return join(root, basename(absolute));
};
