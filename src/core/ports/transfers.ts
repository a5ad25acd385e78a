import type { Json } from '../errors.ts';

/** Notes of large transfers under way, which outlive the process. */
export interface TransferNotes {
  /** Does the work with the note of one transfer in hand; without it while somebody else on this machine has it. */
  hold<T>(key: string, signal: AbortSignal, work: (note: TransferNote | undefined) => Promise<T>): Promise<T>;
}

export interface TransferNote {
  /** What was written last; undefined where there is none, or none that can be read. */
  read(): Promise<Json | undefined>;
  write(note: Json): Promise<void>;
  remove(): Promise<void>;
}
