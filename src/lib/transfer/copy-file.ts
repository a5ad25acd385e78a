import { CrossBackendException, StorageException } from '../../core/errors.ts';
import type { Arrived, StoredItem, StoreOptions, Verification } from '../../core/storage.ts';
import { contentOf, unsent } from './content.ts';
import { copyParts, PARTED_FROM_BYTES } from './copy-parts.ts';
import { settle } from './settle-conflict.ts';
import { locationOf, type TransferEnd, type TransferOptions, type TransferredFile } from './transfer.ts';

/** What is known of a file before it is looked at. */
export interface KnownItems {
  readonly source?: StoredItem;
}

/**
 * Carries one file from a storage to another: by the service itself where both ends are one, in parts where it is large, else in one piece.
 * Nothing shows at the target before it is whole and has been compared with what was sent.
 */
export const copyFile = async (
  from: TransferEnd,
  target: TransferEnd,
  options: TransferOptions,
  { source }: KnownItems = {},
): Promise<TransferredFile> => {
  const item = source ?? (await from.storage.stat(from.path, options));
  if (item === undefined) throw missing(from);
  if (item.kind === 'dir') throw directory(from);
  const settled = await settle({ end: from, item }, target, options);
  if (settled === undefined) return { path: target.path, bytes: item.bytes, verified: 'none', how: 'unchanged', resumedBytes: 0 };
  demandVerifiable(settled.to, options);
  return carry(from, item, settled, options);
};

interface Settled {
  readonly to: TransferEnd;
  readonly exclusive: boolean;
}

const carry = async (
  from: TransferEnd,
  item: StoredItem,
  { to, exclusive }: Settled,
  options: TransferOptions,
): Promise<TransferredFile> => {
  const { signal, preserve, verify, requireVerified, onBytes } = options;
  const isExclusive = exclusive && to.storage.can.exclusiveWrite;
  const storeOptions: StoreOptions = {
    signal,
    verify,
    ...(isExclusive && { exclusive: true }),
    ...(preserve && { modifiedMs: item.modifiedMs }),
  };
  /** Before it shows: what has another length than the source leaves what was there. */
  const confirm = ({ bytes }: Arrived): void => {
    if (bytes !== item.bytes) throw unlike(to, `${bytes} bytes arrived of ${item.bytes}`);
  };
  const told = (written: StoredItem, how: TransferredFile['how'], verified: Verification, resumedBytes = 0): TransferredFile => ({
    path: to.path,
    bytes: written.bytes,
    verified,
    how,
    resumedBytes,
  });
  // In a dry run looking is enough.
  if (from.storage.willRead !== undefined) {
    await from.storage.willRead(from.path, { signal });
    return told(await to.storage.write(to.path, unsent(item.bytes), storeOptions), 'copied', 'none');
  }
  if (from.storage.location === to.storage.location && to.storage.copy !== undefined) {
    const copied = await to.storage.copy(from.path, to.path, storeOptions);
    onBytes?.(item.bytes);
    return told(copied, 'server_side', comparedBy(item, copied, to));
  }
  const content = contentOf(from, item, options);
  const { parts } = to.storage.can;
  if (parts !== undefined && item.bytes >= PARTED_FROM_BYTES && from.storage.can.range && !isExclusive && !requireVerified) {
    const { item: arrived, resumedBytes } = await copyParts({ from, item, to, rules: parts, content }, options);
    return told(arrived, resumedBytes > 0 ? 'resumed' : 'copied', comparedBy(item, arrived, to), resumedBytes);
  }
  if (options.sweepsFirst === true) await to.storage.sweep?.(to.path, { signal });
  const written = await to.storage.write(to.path, content, { ...storeOptions, confirm });
  return told(written, 'copied', comparedBy(item, written, to));
};

/** By what the service itself has compared, else by a digest that both tell, else by the length. What is another is refused. */
const comparedBy = (source: StoredItem, written: StoredItem, to: TransferEnd): Verification => {
  if (written.bytes !== source.bytes) throw unlike(to, `${written.bytes} bytes arrived of ${source.bytes}`);
  if (written.verified !== undefined && written.verified !== 'size') return written.verified;
  for (const [name, digest] of Object.entries(source.hashes ?? {})) {
    const other = written.hashes?.[name as keyof typeof written.hashes]; // both records have the same names as keys
    if (other === undefined) continue;
    if (other !== digest) throw unlike(to, `its ${name} is another one`);
    return name as Verification; // a name of a digest is a way to verify
  }
  return 'size';
};

const demandVerifiable = (to: TransferEnd, { requireVerified, verify }: TransferOptions): void => {
  if (!requireVerified || (verify !== 'none' && to.storage.can.hashes.length > 0)) return;
  throw new CrossBackendException(
    `${locationOf(to)} tells no digest of what it holds, so that nothing could be compared by content; leave out require_verified, or choose another target.`,
    { context: { location: locationOf(to) } },
  );
};

const unlike = (to: TransferEnd, why: string): CrossBackendException =>
  new CrossBackendException(`${locationOf(to)} is not what was sent: ${why}; send it once more.`, {
    context: { code: 'broken', location: locationOf(to) },
    retryable: true,
  });

const missing = (from: TransferEnd): StorageException =>
  new StorageException(`Nothing is at ${locationOf(from)}; check the location, list the directory above it.`, {
    context: { code: 'not_found', location: locationOf(from) },
  });

const directory = (from: TransferEnd): StorageException =>
  new StorageException(`${locationOf(from)} is a directory; name a file.`, {
    context: { code: 'is_directory', location: locationOf(from) },
  });
