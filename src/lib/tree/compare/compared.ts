import type { EntryKind } from '../../../core/files.ts';
import { addAll } from '../add-all.ts';
import { addNameList, type NameList, noNames } from '../name-list.ts';
import type { TreeFault } from '../tree-fault.ts';

/** Something at the target. */
export interface TargetEntry {
  readonly relative: string;
  readonly kind: EntryKind;
}

/** What a target lacks of a source, and what it has too many. Paths count from the roots. */
export interface Compared {
  readonly same: NameList;
  readonly vanished: NameList;
  /** Pipes, sockets and devices, which are left out. */
  readonly special: NameList;
  /** Files and links that differ. */
  readonly changed: string[];
  /** Only at the source; a directory has `/` at its end and stands for all in it. */
  readonly missing: string[];
  /** Those of both that are links. */
  readonly links: string[];
  /** Of the files in both, without those in directories. */
  bytes: number;
  /** Files that are the same but for mode or time. */
  readonly marks: string[];
  /** Directories with another mode or time, `/` at their end. */
  readonly directoryMarks: string[];
  /** Of another kind than at the source: to be removed before the copy. */
  readonly inTheWay: TargetEntry[];
  /** Only at the target. */
  readonly extras: TargetEntry[];
  /** Temporary files of ours at the target. */
  readonly parts: TargetEntry[];
  readonly faults: TreeFault[];
}

export const nothingCompared = (): Compared => ({
  same: noNames(),
  vanished: noNames(),
  special: noNames(),
  changed: [],
  missing: [],
  links: [],
  bytes: 0,
  marks: [],
  directoryMarks: [],
  inTheWay: [],
  extras: [],
  parts: [],
  faults: [],
});

/** Adds what another part came to. */
export const addCompared = (all: Compared, part: Compared, most: number): void => {
  for (const list of ['same', 'vanished', 'special'] as const) addNameList(all[list], part[list], most);
  for (const list of ['changed', 'missing', 'links', 'marks', 'directoryMarks'] as const) addAll(all[list], part[list]);
  for (const list of ['inTheWay', 'extras', 'parts'] as const) addAll(all[list], part[list]);
  addAll(all.faults, part.faults);
  all.bytes += part.bytes;
};
