import type { ArchiveEntry } from '../../../lib/archive/entry.ts';

/** What file systems can say at least, in seconds of 32 bits: from 1901 on, and to 2106. */
const EARLIEST_MS = -(2 ** 31) * 1000;
const LATEST_MS = (2 ** 32 - 1) * 1000;

/** Owners are ignored, special bits and writing by others dropped, and what is ours stays usable by us. */
export const fileModeFrom = ({ mode }: ArchiveEntry): { mode?: number } => (mode === undefined ? {} : { mode: (mode & 0o755) | 0o600 });
export const dirModeFrom = ({ mode = 0o755 }: ArchiveEntry): number => (mode & 0o755) | 0o700;

/** The time of an entry; an absurd one becomes the nearest that makes sense. */
export const timeFrom = ({ mtimeMs }: ArchiveEntry): { mtimeMs?: number } =>
  mtimeMs === undefined || Number.isNaN(mtimeMs) ? {} : { mtimeMs: Math.min(Math.max(EARLIEST_MS, mtimeMs), LATEST_MS) };
