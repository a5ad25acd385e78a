import type { Change, Journal } from '../../core/files.ts';
import { statAt } from '../entry.ts';
import { describeChange } from './describe.ts';
import type { ChangeRecord, Inverse, JournalEntry, LeftRecord } from './inverse.ts';
import type { Keeper } from './keep.ts';
import { stampOf, treeStampAt } from './stamp.ts';

export interface JournalOptions {
  readonly keeper: Keeper;
  /** Writes entries down, in this order; what it has taken survives the end of the process. */
  append(entries: readonly JournalEntry[]): void | Promise<void>;
  now(): number;
  /** Told of each change that cannot be taken back. */
  onLost?(lost: { readonly path: string; readonly reason: string }): void;
}

/** The journal of one run, for all its file ports. */
export interface RunJournal extends Journal {
  /** Writes down what the last changes have left; call it when the run has ended. */
  close(): Promise<void>;
}

interface Pending {
  readonly index: number;
  readonly inverse: Inverse;
  hasHappened(): boolean;
}

/** More than can be made. */
const CHANGES_A_MS = 1_000;
/** More changes than this are not waited for: where so many have not happened, most never will. */
const MAX_PENDING = 100;

/**
 * Keeps the inverse of every change before it is made. What a change leaves is written down with it where it is known, else looked at
 * as soon as it is made and written down with the next entry, so that undoing can tell it from what somebody did later.
 */
export const openJournal = ({ keeper, append, now, onLost }: JournalOptions): RunJournal => {
  // From the time on, so that a run which another process goes on with has no number twice.
  let nextIndex = Math.floor(now()) * CHANGES_A_MS;
  let pending: Pending[] = [];
  const unwritten: JournalEntry[] = [];
  let looking: Promise<void> | undefined;

  const look = async (): Promise<void> => {
    const waiting = pending;
    pending = [];
    for (const change of waiting) {
      const left = await leftBy(change);
      if (left === undefined) pending.push(change);
      else unwritten.push({ index: change.index, inverse: { left, of: change.index } satisfies LeftRecord, bytes: 0 });
    }
    if (pending.length > MAX_PENDING) pending = pending.slice(-MAX_PENDING);
  };
  /** One look at a time: a tree must not be changed by the next command while it is looked at. */
  const lookOnce = (): Promise<void> => {
    looking ??= look().finally(() => {
      looking = undefined;
    });
    return looking;
  };

  return {
    async before(change: Change) {
      if (looking !== undefined || pending.length > 0) await lookOnce();
      const first = nextIndex;
      nextIndex += change.kind === 'move' ? 2 : 1;
      const described = await describeChange(change, keeper, first);
      const entries = described.map(({ inverse, bytes, left }, at): JournalEntry => {
        if (inverse.undo === 'impossible') onLost?.(inverse);
        const record: ChangeRecord = { ...inverse, at: now(), ...(left !== undefined && { left }) };
        return { index: first + at, inverse: record, bytes };
      });
      await append([...unwritten.splice(0), ...entries]);
      for (const [at, { inverse, hasHappened }] of described.entries())
        if (hasHappened !== undefined) pending.push({ index: first + at, inverse, hasHappened });
      // By then the change is made: nothing but its own steps stands between.
      if (pending.length > 0) setImmediate(() => void lookOnce());
    },
    async close() {
      await lookOnce();
      if (unwritten.length > 0) await append(unwritten.splice(0));
    },
  };
};

const leftBy = async ({ inverse: { undo, path }, hasHappened }: Pending): Promise<string | undefined> => {
  try {
    const stats = hasHappened() ? statAt(path) : undefined;
    // A created tree is one change; a directory that only got another mode or time is not looked into.
    if (stats?.isDirectory() && undo !== 'set_back') return await treeStampAt(path);
    return stats && stampOf(stats, path);
  } catch {
    return undefined; // changed while it was looked at: undoing will judge it by its times
  }
};
