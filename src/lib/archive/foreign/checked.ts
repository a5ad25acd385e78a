import type { ArchiveException } from '../../../core/errors.ts';
import { crc32 } from '../../hash/crc32.ts';
import { broken } from '../broken.ts';
import { type ArchiveEntry, shortName, shownName } from '../entry.ts';
import { createBlake2sp } from './rar/blake2sp.ts';

/** What an archive says its content adds up to; where it says nothing, nothing could be checked. */
export interface ContentChecks {
  readonly crc32?: number;
  readonly blake2sp?: Uint8Array;
}

/** Hands a content on and compares its size and check sums with what the archive says; fails at its end where they differ, by `unverified` where others have unpacked it. */
export async function* checked(
  content: AsyncIterable<Uint8Array>,
  { name, size }: ArchiveEntry,
  checks: ContentChecks,
  differs: (name: string) => ArchiveException = damaged,
): AsyncGenerator<Uint8Array> {
  const blake2sp = checks.blake2sp === undefined ? undefined : createBlake2sp();
  let bytes = 0;
  let sum = 0;
  for await (const chunk of content) {
    bytes += chunk.byteLength;
    if (bytes > size) break;
    if (checks.crc32 !== undefined) sum = crc32(chunk, sum);
    blake2sp?.update(chunk);
    yield chunk;
  }
  if (bytes !== size) throw differs(name);
  if (checks.crc32 !== undefined && sum !== checks.crc32) throw differs(name);
  if (blake2sp !== undefined && !Buffer.from(blake2sp.digest()).equals(checks.blake2sp ?? Buffer.alloc(0))) throw differs(name);
}

const damaged = (name: string) =>
  broken(`is damaged: the content of ${shownName(name)} does not have the size and check sum that it states`, { entry: shortName(name) });
