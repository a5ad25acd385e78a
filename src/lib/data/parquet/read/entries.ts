import type { LeafCursor } from './cursor.ts';
import type { Leaf, List } from './schema-node.ts';
import { demand } from './unreadable.ts';

/** A place that can be read: what reads it, and the columns below. */
export interface Assembled {
  readonly read: () => unknown;
  readonly cursors: readonly LeafCursor[];
}

/** Gives the cursor of a leaf. */
export type CursorOf = (leaf: Leaf) => LeafCursor;

/** Calls `take` for each item, or passes by where there is none. All columns have to agree on it. */
export const eachItem = (
  { itemDef, itemRep }: Pick<List, 'itemDef' | 'itemRep'>,
  cursors: readonly LeafCursor[],
  take: () => void,
): void => {
  if (isMissing(cursors, itemDef)) {
    passBy(cursors);
    return;
  }
  do take();
  while (isRepeated(cursors, itemRep));
};

const isRepeated = (cursors: readonly LeafCursor[], level: number): boolean => {
  const repetition = cursors[0]?.repetition ?? 0;
  demand(repetition <= level, 'an item begins where none can be');
  for (const cursor of cursors) demand(cursor.repetition === repetition, 'its columns disagree on the length of a list');
  return repetition === level;
};

/** Whether a place is not there, on which all columns below have to agree. */
export const isMissing = (cursors: readonly LeafCursor[], level: number): boolean => {
  const isLess = (cursors[0]?.definition ?? 0) < level;
  for (const cursor of cursors) demand(cursor.definition < level === isLess, 'its columns disagree on what is null');
  return isLess;
};

/** Takes the one entry that every column has for what is not there. */
export const passBy = (cursors: readonly LeafCursor[]): null => {
  for (const cursor of cursors) cursor.take();
  return null;
};
