import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { openDirectory } from '../../fs/handles.ts';
import { readLinkText } from '../../fs/raw-names.ts';
import { codeOf } from '../../fs/system-fault.ts';
import { crc32 } from '../../hash/crc32.ts';
import { type FaultMessage, packFault } from '../../workers/messages.ts';
import { type Done, ownBuffers } from '../../workers/task.ts';
import { roomFor } from '../deflate/deflate-block.ts';

/** What to collect below a root that was granted for reading. */
export interface GatherOrder {
  readonly root: string;
  /** Reach every entry by open directory handles, so that no link on the way is followed. */
  readonly byHandles: boolean;
  /** Each entry as the names that lead to it. */
  readonly entries: readonly (readonly string[])[];
  /** How hard contents are compressed; 0 leaves them as they are. */
  readonly level: number;
}

/** What was found; contents lie one after the other in the shared `contents`. Large files are left to be streamed. */
export type Gathered = Found | { readonly kind: 'unreadable'; readonly fault: FaultMessage } | { readonly kind: 'vanished' };

type Found = GatheredMeta &
  (
    | {
        readonly kind: 'file';
        readonly size: number;
        readonly checksum: number;
        readonly isDeflated: boolean;
        readonly start: number;
        readonly end: number;
      }
    | { readonly kind: 'large'; readonly size: number }
    | { readonly kind: 'link'; readonly target: string }
    | { readonly kind: 'dir' | 'other' }
  );
interface GatheredMeta {
  readonly mode: number;
  readonly mtimeMs: number;
}

export interface Harvest {
  readonly found: readonly Gathered[];
  readonly contents: Uint8Array;
}

/** Larger files are streamed in blocks instead of being taken into memory. */
const LARGE_BYTES = 256 * 1024;
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Reads metadata, link targets and small contents; a task, because synchronous calls are several times cheaper. */
export const gatherFiles = ({ root, byHandles, entries, level }: GatherOrder): Done<Harvest> => {
  const parts: Uint8Array[] = [];
  let end = 0;
  const keep = (part: Uint8Array) => {
    parts.push(part);
    const start = end;
    end += part.byteLength;
    return { start, end };
  };
  const found = entries.map((segments): Gathered => {
    try {
      return reach(root, byHandles, segments, (address) => gatherOne(address, level, keep));
    } catch (fault) {
      const code = codeOf(fault);
      if (code === undefined) throw fault;
      return code === 'ENOENT' ? { kind: 'vanished' } : { kind: 'unreadable', fault: packFault(fault) };
    }
  });
  const contents = Buffer.concat(parts, end);
  return { value: { found, contents }, transfer: ownBuffers(contents) };
};

const reach = <T>(root: string, byHandles: boolean, segments: readonly string[], work: (address: string) => T): T => {
  if (!byHandles) return work(join(root, ...segments));
  using parent = openDirectory(root, segments.slice(0, -1));
  return work(parent.address(segments.at(-1)));
};

type Keep = (part: Uint8Array) => { readonly start: number; readonly end: number };

const gatherOne = (address: string, level: number, keep: Keep): Found => {
  const seen = lstatSync(address);
  const { mode, mtimeMs } = seen;
  if (seen.isDirectory()) return { kind: 'dir', mode, mtimeMs };
  if (seen.isSymbolicLink()) return { kind: 'link', mode, mtimeMs, target: readLinkText(address) };
  if (!seen.isFile()) return { kind: 'other', mode, mtimeMs };
  const file = openSync(address, READ_FLAGS);
  try {
    return gatherFile(file, fstatSync(file), level, keep);
  } finally {
    closeSync(file);
  }
};

const gatherFile = (file: number, { mode, mtimeMs, size }: Stats, level: number, keep: Keep): Found => {
  if (size > LARGE_BYTES) return { kind: 'large', mode, mtimeMs, size };
  const content = readWhole(file, size);
  const deflated = level === 0 ? content : deflateRawSync(content, { level, memLevel: 9, chunkSize: roomFor(content.byteLength) });
  const isDeflated = deflated.byteLength < content.byteLength;
  return {
    kind: 'file',
    mode,
    mtimeMs,
    size: content.byteLength,
    checksum: crc32(content),
    isDeflated,
    ...keep(isDeflated ? deflated : content),
  };
};

/** The file as long as it was when it was opened, or shorter if somebody cut it since. */
const readWhole = (file: number, size: number): Buffer => {
  const content = Buffer.allocUnsafe(size);
  let filled = 0;
  while (filled < size) {
    const read = readSync(file, content, filled, size - filled, filled);
    if (read === 0) break;
    filled += read;
  }
  return content.subarray(0, filled);
};
