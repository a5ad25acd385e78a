import type { Entry } from '../../core/files.ts';
import type { BulkChanges, BulkJournal, Change, Journal, LostChange, Withdraw } from '../../core/journal.ts';
import { UNDO_REASONS } from '../../core/undo-reasons.ts';
import { isFull } from '../../lib/fs/system-fault.ts';
import { statAt } from '../entry.ts';
import { describeBulk } from './bulk.ts';
import { describeChange, describeStage } from './describe.ts';
import type { AliveRecord, ChangeRecord, EndRecord, Inverse, JournalEntry, Left, LeftRecord, UnmadeRecord } from './inverse.ts';
import type { Keeper } from './keep.ts';
import { numbersFrom } from './numbers.ts';
import { createStages } from './stages.ts';
import { leftTreeAt, stampOf, stampOfEntry } from './stamp.ts';

export interface JournalOptions {
  readonly keeper: Keeper;
  /** Writes entries down, in this order; what it has taken survives the end of the process. */
  append(entries: readonly JournalEntry[]): void | Promise<void>;
  now(): number;
  /** Numbers for so many entries, one behind the other; gives the first. Left out where nobody else writes down changes of the run. */
  takeIndexes?(count: number): number;
}

/** The journal of one run, for all its file ports. */
export interface RunJournal extends Required<Journal> {
  /** Writes down what the last changes have left; call it when the run has ended. */
  close(): Promise<void>;
}

interface Pending {
  readonly index: number;
  readonly inverse: Inverse;
  hasHappened(): boolean;
}

/** More changes than this are not waited for: where so many have not happened, most never will. */
const MAX_PENDING = 100;
/** What is handed over at once. */
const ENTRIES_AT_ONCE = 5_000;
/** Well below the time for which a change without last words counts as ours. */
const SIGN_EVERY_MS = 500;

/**
 * Keeps the inverse of every change before it is made. What a change leaves is written down with it where it is known, else looked at
 * as soon as it is made and written down with the next entry, so that undoing can tell it from what somebody did later.
 */
export const openJournal = ({ keeper, append, now, takeIndexes = numbersFrom(now()) }: JournalOptions): RunJournal => {
  let pending: Pending[] = [];
  const unwritten: JournalEntry[] = [];
  let looking: Promise<void> | undefined;
  const stages = createStages();
  let lastPath: string | undefined;

  const look = async (): Promise<void> => {
    const waiting = pending;
    pending = [];
    for (const change of waiting) {
      const left = await leftBy(change);
      if (left === undefined) pending.push(change);
      else unwritten.push({ index: change.index, inverse: { ...left, of: change.index } satisfies LeftRecord, bytes: 0 });
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

  const appendMany = async (entries: readonly JournalEntry[]): Promise<void> => {
    for (let at = 0; at < entries.length; at += ENTRIES_AT_ONCE) await append(entries.slice(at, at + ENTRIES_AT_ONCE));
  };

  const lookFirst = (): Promise<void> | undefined => (looking !== undefined || pending.length > 0 ? lookOnce() : undefined);

  const beforeBulk = async (changes: BulkChanges): Promise<BulkJournal | undefined> => {
    await lookFirst();
    const first = takeIndexes(changes.arrivals.length + changes.removed.length + changes.marked.length);
    const described = await describeBulk(changes, { keeper, first, now });
    if (described === undefined) return undefined;
    const { entries, keepAt, unseen } = described;
    lastPath = changes.root;
    await appendMany(entries);
    // A sign that cannot be given is missed only by an undoing after a kill, which then refuses more.
    const giveSign = async () => append([{ index: first, inverse: { alive: now(), bulk: first } satisfies AliveRecord, bytes: 0 }]);
    const signs = setInterval(() => void giveSign().catch(() => {}), SIGN_EVERY_MS).unref();
    return {
      keepAt,
      async done() {
        clearInterval(signs);
        const left: JournalEntry[] = [];
        for (const { index, inverse } of unseen) {
          const found = await leftNow(inverse);
          if (found !== undefined) left.push({ index, inverse: { ...found, of: index } satisfies LeftRecord, bytes: 0 });
        }
        await appendMany(left);
      },
    };
  };

  /** Written down before a copy gets its name: its looks need not be those of what was moved. */
  const writeLeft = async (index: number, arriving: Entry): Promise<void> =>
    append([{ index, inverse: { left: stampOfEntry(arriving), of: index } satisfies LeftRecord, bytes: 0 }]);

  /** What others have put there is not what the change would have left. */
  const writeUnmade = async (first: number, count: number): Promise<void> => {
    pending = pending.filter(({ index }) => index < first || index >= first + count);
    const unmade = Array.from({ length: count }, (_, at) => first + at);
    await append(unmade.map((index) => ({ index, inverse: { unmade: index } satisfies UnmadeRecord, bytes: 0 })));
  };

  /** False where the device of the journal is full and the change would free some of a device: it is made all the same. */
  const write = async (entries: readonly JournalEntry[], { kind }: Change): Promise<boolean> => {
    const before = unwritten.splice(0);
    try {
      await append([...before, ...entries]);
      return true;
    } catch (fault) {
      unwritten.unshift(...before);
      if ((kind === 'delete' || kind === 'delete_tree') && isFull(fault)) return false;
      throw fault;
    }
  };

  const forCommand = (tell: (lost: LostChange) => void) => ({
    async before(seen: Change, told?: (withdraw: Withdraw) => void) {
      const change = stages.seenOutside(seen);
      if (change === undefined) return;
      await lookFirst();
      keeper.expect(change);
      if (change.kind === 'delete' && change.isNew) return; // what made it is written down, and finds nothing to take back
      lastPath = change.kind === 'move' ? change.to : change.path;
      const first = takeIndexes(change.kind === 'move' ? 2 : 1);
      const described = stages.begins(change) ? describeStage(change) : await describeChange(change, keeper, first);
      const entries = described.map(({ inverse, bytes, left }, at): JournalEntry => {
        if (inverse.undo === 'impossible') tell({ path: inverse.path, reason: inverse.reason });
        const record: ChangeRecord = { ...inverse, at: now(), ...(left !== undefined && { left }) };
        return { index: first + at, inverse: record, bytes };
      });
      if (!(await write(entries, change))) {
        for (const { inverse } of described) if ('kept' in inverse) keeper.giveUp(inverse.kept);
        for (const { inverse } of described) tell({ path: inverse.path, reason: UNDO_REASONS.noRoom });
        return;
      }
      for (const { written } of described) written?.();
      told?.(() => writeUnmade(first, described.length));
      if (change.kind === 'move') change.whenCopied?.((arriving) => writeLeft(first + described.length - 1, arriving));
      for (const [at, { inverse, hasHappened }] of described.entries())
        if (hasHappened !== undefined) pending.push({ index: first + at, inverse, hasHappened });
      // By then the change is made: nothing but its own steps stands between.
      if (pending.length > 0) setImmediate(() => void lookOnce());
    },
    beforeBulk,
  });

  return {
    ...forCommand(() => {}),
    limits: keeper.limits,
    placeBelow: keeper.placeBelow,
    forCommand,
    async close() {
      await lookOnce();
      keeper.close();
      if (lastPath === undefined) return;
      const ended = Math.max(now(), ctimeOf(lastPath)) + 1; // clocks of servers may be ahead, and times have fractions
      try {
        await append([...unwritten.splice(0), { index: takeIndexes(1), inverse: { ended } satisfies EndRecord, bytes: 0 }]);
      } catch (fault) {
        if (!isFull(fault)) throw fault; // without these words undoing goes by times, and refuses more
      }
    },
  };
};

const ctimeOf = (path: string): number => {
  try {
    return statAt(path)?.ctimeMs ?? 0;
  } catch {
    return 0;
  }
};

const leftBy = async ({ inverse, hasHappened }: Pending): Promise<Left | undefined> => (hasHappened() ? leftNow(inverse) : undefined);

const leftNow = async ({ undo, path }: Inverse): Promise<Left | undefined> => {
  try {
    const stats = statAt(path);
    // A created tree is one change; a directory that only got another mode or time is not looked into.
    if (stats?.isDirectory() && undo !== 'set_back') return await leftTreeAt(path);
    return stats && { left: stampOf(stats, path) };
  } catch {
    return undefined; // changed while it was looked at: undoing will judge it by its times
  }
};
