import type { TransferNotes } from '../../core/ports/transfers.ts';
import type { Storage, Verification } from '../../core/storage.ts';
import type { Failures } from '../partial/failures.ts';

/** What to do when something is at the target already. */
export const TRANSFER_CONFLICTS = ['overwrite', 'skip', 'error', 'rename', 'skip_if_same'] as const;
export type TransferConflict = (typeof TRANSFER_CONFLICTS)[number];

/** When a file at the target counts as the one at the source. */
export const COMPARISONS = ['size_mtime', 'checksum', 'size'] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** One end of a transfer: a file or a directory in a storage. */
export interface TransferEnd {
  readonly storage: Storage;
  readonly path: string;
}

export interface TransferOptions {
  readonly signal: AbortSignal;
  readonly onConflict: TransferConflict;
  readonly compare: Comparison;
  readonly verify: 'strongest' | 'none';
  /** Refuse where the target tells no digest to compare with. */
  readonly requireVerified: boolean;
  /** Go on with what an earlier transfer of the same file has left. */
  readonly resume: boolean;
  /** So many files, or parts of one large file, at once. */
  readonly maxWorkers: number;
  /** Keep times where the target can. */
  readonly preserve: boolean;
  /** Waits as long as so many bytes have to, so that all transfers of the command keep to their rate. */
  readonly pace?: ((bytes: number, signal: AbortSignal) => void | Promise<void>) | undefined;
  /** Told of every byte that was sent or need not be sent again. */
  readonly onBytes?: ((bytes: number) => void) | undefined;
  /** Told how much is kept in memory of what was listed; throws where that is too much. */
  readonly hold?: ((bytes: number) => void) | undefined;
  /** A transfer to the same place was broken off: remove what it has left of a file before it is sent. */
  readonly sweepsFirst?: boolean;
  /** Where large transfers are written down, so that they can go on after a crash; left out, they begin anew. */
  readonly notes?: TransferNotes | undefined;
}

/** How a file came to be at the target. */
export type TransferWay = 'copied' | 'server_side' | 'resumed' | 'unchanged';

/** What became of one file. */
export interface TransferredFile {
  /** At the target. */
  readonly path: string;
  readonly bytes: number;
  readonly verified: Verification;
  readonly how: TransferWay;
  /** Those that an earlier transfer had sent already. */
  readonly resumedBytes: number;
}

/** What became of all files of a transfer. */
export interface TransferReport {
  readonly files: readonly TransferredFile[];
  /** Paths at the target. */
  readonly deleted: readonly string[];
  readonly failed: Failures;
}

/** How a place in a storage is written. */
export const locationOf = ({ storage, path }: TransferEnd): string => `${storage.location}/${path}`;
