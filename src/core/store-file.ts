import { basename, dirname, join } from 'node:path';
import type { Context } from './context.ts';
import { type AuditException, type QueueException, StoreException } from './errors.ts';
import type { FilePort } from './files.ts';

/** The file of a store that a caller names. */
export interface StoreFile {
  readonly path: string;
  /** It is only looked into: what is no store yet, such as an empty file, stays so. */
  readonly isOnlyRead?: true;
  /**
   * For callers with a policy: the only way to the file. The library that reads it opens files by name, and a name can be made to lead
   * elsewhere after it was judged; so it is given a copy that nobody else can reach, and what came of it is put back through here.
   */
  readonly through?: Pick<FilePort, 'stat' | 'open' | 'edit' | 'create'>;
}

/**
 * Where the store is that a caller names, as a path without links. A store opens its file by name, so that must not be a link, and
 * writes beside it even to read, so the caller must be allowed to write there.
 */
export const storeFile = async (
  { files }: Pick<Context, 'files'>,
  given: string,
  /** What a family calls its trouble with a store. */
  Trouble: typeof StoreException | typeof QueueException | typeof AuditException = StoreException,
): Promise<StoreFile> => {
  const entry = await files.stat(given, { followLinks: false });
  if (entry !== undefined && entry.kind !== 'file') {
    throw new Trouble(`The store at ${given} must be a file, not a ${entry.kind}; name another path.`, {
      context: { argument: 'db_path', path: given },
    });
  }
  const absolute = files.absolute(given);
  if (entry === undefined) await files.makeDir(dirname(absolute), { parents: true });
  const { root, byHandles } = await files.grant(dirname(absolute), 'write');
  const path = join(root, basename(absolute));
  return byHandles ? { path, through: files } : { path };
};
