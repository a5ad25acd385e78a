import { basename, dirname, join } from 'node:path';
import type { Context } from './context.ts';
import { type AuditException, FileAccessException, type QueueException, StoreException } from './errors.ts';
import type { Entry, FilePort } from './files.ts';

/** What a family calls its trouble with a store. */
type StoreTrouble = typeof StoreException | typeof QueueException | typeof AuditException;

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
  Trouble: StoreTrouble = StoreException,
): Promise<StoreFile> => {
  const entry = await findStore(files, given, Trouble);
  const absolute = files.absolute(given);
  if (entry === undefined) await files.makeDir(dirname(absolute), { parents: true });
  const { root, byHandles } = await files.grant(dirname(absolute), 'write');
  const path = join(root, basename(absolute));
  return byHandles ? { path, through: files } : { path };
};

/** What a run that only looks into a store would refuse: a dry run opens none. A missing one is for the caller to judge. */
export const planStoreLook = async (
  { files }: Pick<Context, 'files'>,
  given: string,
  Trouble: StoreTrouble = StoreException,
): Promise<void> => {
  const entry = await findStore(files, given, Trouble);
  if (entry !== undefined) await asTrouble(Trouble, given, () => readable(files, given));
};

const readable = async (files: FilePort, given: string): Promise<void> => (await files.open(given))[Symbol.asyncDispose]();

/** What a run would change of a store, and what it would refuse to open: a dry run opens none. */
export const planStoreFile = async (
  { files, signal }: Pick<Context, 'files' | 'signal'>,
  given: string,
  Trouble: StoreTrouble = StoreException,
): Promise<void> => {
  const entry = await findStore(files, given, Trouble);
  await asTrouble(Trouble, given, async () => {
    if (entry !== undefined && entry.isPlanned !== true) await readable(files, given);
    await using writer = await files.create(given, { signal });
    await writer.commit();
  });
};

const asTrouble = async (Trouble: StoreTrouble, given: string, work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (fault) {
    if (!(fault instanceof FileAccessException)) throw fault;
    throw new Trouble(fault.message, { context: { argument: 'db_path', path: given }, cause: fault });
  }
};

const findStore = async (files: FilePort, given: string, Trouble: StoreTrouble): Promise<Entry | undefined> => {
  const entry = await files.stat(given, { followLinks: false });
  if (entry === undefined || entry.kind === 'file') return entry;
  throw new Trouble(`The store at ${given} must be a file, not a ${entry.kind}; name another path.`, {
    context: { argument: 'db_path', path: given },
  });
};
