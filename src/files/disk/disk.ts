import { type Stats, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Policy } from '../../access/policy.ts';
import { ArgumentException } from '../../core/errors.ts';
import type { Access } from '../../core/files.ts';
import type { BulkChanges, BulkJournal, Change, Journal, LostAttribute, Withdraw } from '../../core/journal.ts';
import type { Budget } from '../../core/quota.ts';
import { translate } from '../../lib/fs/faults.ts';
import { ownPlaceIn } from '../../lib/fs/own-names.ts';
import { statAt } from '../entry.ts';
import type { Place, Spot } from '../place.ts';
import { faultAt, isOwnPlaceAt, type Missing, noDir } from '../refusals.ts';
import type { Sweeper } from './sweep.ts';

export interface DiskOptions {
  readonly cwd: string;
  readonly place: Place;
  readonly policy: Policy | undefined;
  readonly budget: Budget | undefined;
  /** Without a journal nothing is kept and nothing can be undone. */
  readonly journal?: Journal | undefined;
  readonly sweeper: Sweeper;
  /** Told what files that were made or replaced have lost. */
  readonly onLost?: ((lost: LostAttribute) => void) | undefined;
}

/** How a path is used. */
export interface Use {
  readonly access: Access;
  /** Default true. */
  readonly followLinks?: boolean;
  /** What to call missing when it is; by default a file. */
  readonly missing?: Missing;
}

/** What all operations on the real disk share. */
export interface Disk {
  readonly place: Place;
  readonly policy: Policy | undefined;
  readonly sweeper: Sweeper;
  readonly onLost: DiskOptions['onLost'];
  /** Bytes must be counted before they are written. */
  readonly hasBudget: boolean;
  /** Files must be counted before they are deleted. */
  readonly countsDeletes: boolean;
  /** Somebody must be told of each change. */
  readonly hasJournal: boolean;
  absolute(path: string): string;
  /** Works at the spot of a path and puts faults into the caller's words. */
  at<T>(path: string, use: Use, work: (spot: Spot, shown: string) => T | Promise<T>): Promise<T>;
  /** Counts bytes that are about to be written; throws when they are too many. */
  spend(bytes: number): void;
  /** Counts files that are about to be deleted; throws when they are too many. */
  countDeletes(files: number): void;
  /** Tells the journal, if there is one; the change must not happen before this is done. Answers what to call where it is not made then. */
  before(describe: () => Change): Promise<Withdraw | undefined>;
  /** Tells the journal of many changes that are about to be made; undefined where each has to be told on its own. */
  beforeBulk(changes: BulkChanges): Promise<BulkJournal | undefined>;
  /** Lets others run when this thread has worked for a while without a pause. */
  giveWay(): Promise<void> | undefined;
}

const MAX_MS_WITHOUT_PAUSE = 8;
const LONE_SURROGATE = /\p{Surrogate}/u;

export const createDisk = ({ cwd, place, policy, budget, journal, sweeper, onLost }: DiskOptions): Disk => {
  let lastPause = performance.now();
  const pause = () =>
    new Promise<void>((go) => {
      setImmediate(() => {
        lastPause = performance.now();
        go();
      });
    });
  const giveWay = () => (performance.now() - lastPause < MAX_MS_WITHOUT_PAUSE ? undefined : pause());

  const absolute = (path: string): string => {
    if (!LONE_SURROGATE.test(path)) return policy === undefined ? demandNotOwn(resolve(cwd, path)) : resolve(cwd, path); // a policy has its own words
    throw new ArgumentException('The path holds half of a surrogate pair, which no file name can; send well-formed Unicode.', {
      context: { path: path.replace(/\p{Surrogate}/gu, '\uFFFD') },
    });
  };

  return {
    place,
    policy,
    sweeper,
    onLost,
    hasBudget: budget !== undefined && budget.countsBytes !== false,
    countsDeletes: budget?.remove !== undefined,
    hasJournal: journal !== undefined,
    absolute,
    async at(path, { access, followLinks = true, missing }, work) {
      const shown = absolute(path);
      await giveWay();
      try {
        using spot = place(shown, { access, followLinks });
        return await work(spot, shown);
      } catch (fault) {
        throw faultAt(fault, { path: shown, missing });
      }
    },
    spend: (bytes) => budget?.spend(bytes),
    countDeletes: (files) => budget?.remove?.(files),
    async before(describe) {
      if (journal === undefined && budget?.remove === undefined) return undefined;
      let withdraw: Withdraw | undefined;
      const change = describe();
      if (replacesFile(change)) budget?.remove?.(1);
      try {
        await journal?.before(change, (told) => {
          withdraw = told;
        });
        return withdraw;
      } catch (fault) {
        // Typed here, so that nobody takes the journal's trouble for the file's.
        throw translate(fault, { path: 'path' in change ? change.path : change.from });
      }
    },
    async beforeBulk(changes) {
      try {
        return await journal?.beforeBulk?.(changes);
      } catch (fault) {
        throw translate(fault, { path: changes.root });
      }
    },
    giveWay,
  };
};

/** What stood there is as lost to a caller as if it had been deleted. */
const replacesFile = (change: Change): boolean =>
  change.kind === 'overwrite' || (change.kind === 'move' && change.replaced !== undefined && change.replaced.kind !== 'dir');

const demandNotOwn = (path: string): string => {
  const place = ownPlaceIn(path);
  if (place !== undefined) throw isOwnPlaceAt(path, place);
  return path;
};

/** Whether the journal is all that has to be asked before a change, which it can be for many at once. */
export const isOnlyJournalled = ({ hasJournal, hasBudget, countsDeletes }: Disk): boolean => hasJournal && !hasBudget && !countsDeletes;

/** Refuses to make something where no directory can hold it, before anybody is told of it. */
export const demandParent = ({ directory }: Spot, shown: string): void => {
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) throw noDir(dirname(shown));
};

/** What stands at a spot; undefined where nothing is. */
export const lookAt = ({ at }: Spot): Stats | undefined => statAt(at);

/** The same for whoever has waited for nothing since the spot was found: what was seen on the way is not looked at again. */
export const lookFirst = ({ at, seen }: Spot): Stats | undefined => (seen === undefined ? statAt(at) : seen.stats);
