import type { Json } from '../../core/errors.ts';
import type { Appended } from '../../core/journal.ts';

/** A file that is kept aside for a change. */
export type Kept = {
  /** Where it lies. */
  readonly at: string;
  /** Which file lies there: the old one itself under one more name, or a copy of it. */
  readonly identity: string;
  /** How many files that are, where it is a tree. */
  readonly files?: number;
};

/** Whose something is, as numbers. */
export type Owner = { readonly uid: number; readonly gid: number };

/**
 * How to take one change back, written down before it is made. Paths are real. `identity` names the file that the change takes away,
 * so that a change which never happened is recognised.
 */
export type Inverse =
  | { readonly undo: 'remove'; readonly path: string }
  | { readonly undo: 'remove_dir'; readonly path: string }
  /** Ours alone, whatever is in it. */
  | { readonly undo: 'discard'; readonly path: string }
  | { readonly undo: 'put_back'; readonly path: string; readonly identity: string; readonly kept: Kept; readonly isReplaced: boolean }
  | { readonly undo: 'put_back_tree'; readonly path: string; readonly kept: Kept }
  | { readonly undo: 'link_back'; readonly path: string; readonly identity: string; readonly target: string; readonly isReplaced: boolean }
  | {
      readonly undo: 'make_dir';
      readonly path: string;
      readonly mode: number;
      readonly mtimeMs: number;
      /** Whose it was; left out in older journals. */
      readonly owner?: Owner;
    }
  | { readonly undo: 'move_back'; readonly path: string; readonly from: string; readonly identity: string; readonly stamp: string }
  /** The file was `start` bytes long before something was put behind it. */
  | ({ readonly undo: 'cut'; readonly path: string; readonly start: number; readonly mtimeMs: number } & Appended)
  | { readonly undo: 'set_back'; readonly path: string; readonly mode: number; readonly mtimeMs: number }
  | { readonly undo: 'impossible'; readonly path: string; readonly reason: string };

/**
 * A change of a run and how to take it back; `at` is the moment just before it was made, `left` what it will leave, where that is known.
 * Changes of one bulk work bear the number of its first.
 */
export type ChangeRecord = Inverse & { readonly at: number; readonly left?: string; readonly bulk?: number };

/** What a change has left, written down after it: `of` is the number of the change in its run. */
export type LeftRecord = Left & { readonly of: number };

/** What a change has left: how it looks, and of a tree what tells its parts from what came later. */
export type Left = { readonly left: string; readonly tree?: TreeRecord };

/** What is known of a tree that a change made. */
export type TreeRecord = {
  /** The latest change of anything in it. */
  readonly ctimeMs: number;
  /** Device and inode of each directory. */
  readonly directories: readonly string[];
  /** By path below the tree: looks and content of what was changed so late that its time proves nothing; left out in older journals. */
  readonly late?: Readonly<Record<string, string>>;
};

/** A sign that a bulk work was still going on. */
export type AliveRecord = {
  readonly alive: number;
  readonly bulk: number;
};

/** The last word of a run: what bears a later time was touched by somebody else, or by whoever undid another run. */
export type EndRecord = {
  readonly ended: number;
};

/** A change that was written down and then not made, because others came first. */
export type UnmadeRecord = {
  readonly unmade: number;
};

/** A line of a journal. `index` counts the changes of a run; `bytes` is what is kept aside. */
export interface JournalEntry {
  readonly index: number;
  readonly inverse: Json;
  readonly bytes: number;
}

/** A change together with what it has left; without `left` the process ended before that could be written down. */
export interface RecordedChange {
  /** Its `at` is the last moment of which it is known that the change was still being made. */
  readonly change: ChangeRecord;
  readonly left: string | undefined;
  /** Of a tree that was made, where it is known. */
  readonly tree?: TreeRecord | undefined;
  /** When its run was over; undefined where its process ended before. */
  readonly endedAt?: number | undefined;
}

/** The changes of a journal in the order of its entries, each with the entry that holds it. */
export const changesIn = <E extends JournalEntry>(entries: readonly E[]): readonly (RecordedChange & { readonly entry: E })[] => {
  const left = new Map<number, Left>();
  const alive = new Map<number, number>();
  const unmade = new Set<number>();
  let endedAt: number | undefined;
  for (const { inverse } of entries) {
    if (isLeft(inverse)) left.set(inverse.of, inverse);
    else if (isEnd(inverse)) endedAt = Math.max(inverse.ended, endedAt ?? 0);
    else if (isUnmade(inverse)) unmade.add(inverse.unmade);
    else if (isAlive(inverse)) alive.set(inverse.bulk, Math.max(inverse.alive, alive.get(inverse.bulk) ?? 0));
  }
  return entries.flatMap((entry) => {
    const { inverse, index } = entry;
    if (!isChange(inverse) || unmade.has(index)) return [];
    const at = inverse.bulk === undefined ? undefined : alive.get(inverse.bulk);
    const after = left.get(index);
    const change = at === undefined ? inverse : { ...inverse, at };
    return [{ entry, change, left: inverse.left ?? after?.left, tree: after?.tree, endedAt }];
  });
};

// Only this room writes these records, into a store that its owner alone can write.
const isLeft = (value: unknown): value is LeftRecord => isRecord(value) && typeof value.of === 'number';
const isEnd = (value: unknown): value is EndRecord => isRecord(value) && typeof value.ended === 'number';
const isUnmade = (value: unknown): value is UnmadeRecord => isRecord(value) && typeof value.unmade === 'number';
const isAlive = (value: unknown): value is AliveRecord => isRecord(value) && typeof value.alive === 'number';
const isChange = (value: unknown): value is ChangeRecord => isRecord(value) && typeof value.undo === 'string';
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;
