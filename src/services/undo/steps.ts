import type { Note } from '../../core/result.ts';
import type { UndoEntry, UndoState } from '../engine/port/shelves.ts';

/** An entry of a run's undo journal, as the store keeps it. */
export type StoredEntry = UndoEntry & { readonly number: number; readonly state: UndoState };

/** A change of a run that can be taken back, or of which it is known that it cannot. */
export interface UndoStep {
  /** Its entry in the store. */
  readonly number: number;
  readonly state: UndoState;
  /** What it changed. */
  readonly path: string;
  /** Takes it back; doing so again changes nothing. A text says why it cannot be done. */
  revert(): Promise<string | undefined>;
}

/** When it stops, and when runs were undone, so that what bears such a time need not have been touched by anybody else. */
export interface UndoTimes {
  readonly signal: AbortSignal;
  readonly windows: readonly (readonly [fromMs: number, toMs: number])[];
  /** Told what of something that is brought back from another device did not come along. */
  onLost(note: Note): void;
}

/** What undoing needs of the files of the house. */
export interface UndoFiles<Caller> {
  /** The changes in these entries, in their order, to be taken back with the rights of a caller. */
  stepsIn(entries: readonly StoredEntry[], caller: Caller, times: UndoTimes): readonly UndoStep[];
  /** Removes what is kept aside for a run. */
  discard(runId: string, entries: readonly StoredEntry[]): Promise<void>;
}
