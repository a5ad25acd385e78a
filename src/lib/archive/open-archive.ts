import type { ArchiveEntry } from './entry.ts';
import type { ArchiveLimits } from './limits.ts';

/** What opening an archive needs beside its bytes. */
export interface OpenOptions {
  readonly limits: ArchiveLimits;
  readonly signal: AbortSignal;
  /** For encrypted zip files. */
  readonly password?: Uint8Array | undefined;
  /** Take what stands before, between and behind archives for filling instead of refusing it. */
  readonly lenient?: boolean;
}

/** Called with the content of an entry when its turn comes; it must read the content to its end. */
export type TakeContent = (index: number, content: AsyncIterable<Uint8Array>) => Promise<void>;

/** An archive whose headers have been read. Nothing is trusted yet. */
export interface OpenArchive {
  /** In archive order. */
  readonly entries: readonly ArchiveEntry[];
  /** Looks beyond the headers: refuses what does not fit them, and gives the entries at these places with their link targets. */
  examine(wanted: readonly number[]): Promise<readonly ArchiveEntry[]>;
  /** Hands over the contents of examined entries, counted and checked; several at a time where the format allows. */
  read(wanted: readonly number[], take: TakeContent): Promise<void>;
}
