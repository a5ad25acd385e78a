import type { Clock } from '../../../../core/ports.ts';
import type { StoredItem } from '../../../../core/storage.ts';
import type { SmbFaults } from '../faults.ts';
import type { Session } from '../session/session.ts';
import { msOfFiletime } from '../wire/bytes.ts';
import { ATTRIBUTE, type FileFacts } from '../wire/files.ts';

/** What all work on files is given. */
export interface Share {
  session(signal: AbortSignal): Promise<Session>;
  readonly faults: SmbFaults;
  readonly clock: Pick<Clock, 'now'>;
  /** Reads that go on, which share what is asked for ahead. */
  readonly readers: Set<object>;
  /** Buffers for what is sent, used again and again. */
  readonly buffers: Buffer[];
}

/**
 * What is told of a file. Its version is the number that the file system knows it by with length and times: a replaced file has another
 * number, one written in place another time.
 */
export const itemOf = (path: string, facts: FileFacts, index: bigint): StoredItem => {
  const modifiedMs = msOfFiletime(facts.modified);
  return (facts.attributes & ATTRIBUTE.directory) !== 0
    ? { path, kind: 'dir', bytes: 0, modifiedMs }
    : {
        path,
        kind: 'file',
        bytes: facts.bytes,
        modifiedMs,
        version: `${index.toString(16)}-${facts.bytes.toString(16)}-${facts.modified.toString(16)}-${facts.changed.toString(16)}`,
      };
};

const TAG = {
  surrogate: 0x2000_0000,
  dfs: 0x8000_000a,
  dfsr: 0x8000_0012,
  nfs: 0x8000_0014,
  socket: 0x8000_0023,
  device: 0x8000_0026,
} as const;

/**
 * Whether a reparse point stands for something elsewhere or for no file: links, mount points, DFS, devices. Others are files that the server
 * keeps in its own way (compressed, archived, deduplicated) and shows as what they are.
 */
export const isElsewhere = (attributes: number, tag: number): boolean =>
  (attributes & ATTRIBUTE.reparsePoint) !== 0 &&
  ((tag & TAG.surrogate) !== 0 || tag === TAG.dfs || tag === TAG.dfsr || tag === TAG.nfs || (tag >= TAG.socket && tag <= TAG.device));
