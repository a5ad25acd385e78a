import type { ArchiveEntry } from '../entry.ts';
import type { ContentChecks } from './checked.ts';

/** An entry of a format whose contents somebody else's code unpacks, as our own reading of the headers has it. */
export interface ForeignEntry extends ArchiveEntry {
  readonly packedSize: number;
  readonly checks: ContentChecks;
  /** Why its content cannot be read, as a clause about the entry: `is encrypted`. */
  readonly unreadable?: string;
}
