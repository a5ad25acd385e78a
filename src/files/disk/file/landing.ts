import { fstatSync, type Stats } from 'node:fs';
import type { CopyOptions } from '../../../core/files.ts';
import type { Change, LostAttribute, Withdraw } from '../../../core/journal.ts';
import { entryOf } from '../../entry.ts';
import type { Spot } from '../../place.ts';
import { changedMeanwhile } from '../../refusals.ts';
import { type Disk, lookAt } from '../disk.ts';
import type { Source } from '../reading.ts';
import { type Aside, openAside } from './aside.ts';
import { copyBytes } from './copy-bytes.ts';
import type { Looks } from './looks.ts';

/** Where a file is to appear, and under which conditions. */
export interface Landing {
  readonly spot: Spot;
  readonly exclusive: boolean;
  /** The path for errors, where what is replaced is replaced in turn. */
  readonly inTurn?: string;
  readonly durable: boolean;
  readonly signal: AbortSignal;
  /** How what stands there is looked at before the first byte; left out: anew. */
  readonly look?: typeof lookAt;
  /** Throws when what stands there must stay; asked before the first byte and again before the name is taken. */
  admit(there: Stats | undefined): void;
  /** Tells the journal what is about to happen. */
  tell(there: Stats | undefined, arriving: Stats): Promise<Withdraw | undefined>;
  /** Told what the file lacks once it has its name. */
  onLost(what: LostAttribute['what']): void;
  /** Throws when the name must not be taken after all; nothing but the rename follows. */
  atLast?(): void;
}

/** Starts a file aside of its landing. */
export const startAside = (disk: Disk, { spot, signal, admit, look = lookAt }: Landing, keptAs?: string): Aside => {
  signal.throwIfAborted();
  admit(look(spot));
  disk.sweeper.touched(spot.parent);
  return openAside(spot, keptAs);
};

/** Gives a file that was written aside its looks and its name. */
export const land = (
  aside: Aside,
  looks: Looks,
  { admit, tell, atLast, onLost, exclusive, inTurn, durable, signal }: Landing,
): Promise<void> =>
  aside.commit({
    looks,
    exclusive,
    inTurn,
    durable,
    signal,
    onLost,
    ...(atLast !== undefined && { atLast }),
    async before(there, arriving) {
      admit(there);
      return tell(there, arriving);
    },
  });

/** Copies an open file to its landing. */
export const copyFile = async (
  source: Source,
  landing: Landing,
  { disk, keepMetadata, isSettled = false, onBytes }: Pick<CopyOptions, 'keepMetadata' | 'isSettled' | 'onBytes'> & { readonly disk: Disk },
): Promise<void> => {
  const aside = startAside(disk, landing);
  try {
    await copyBytes(source, aside.file, { signal: landing.signal, spend: disk.spend, onBytes });
    if (isSettled) demandSettled(source);
    await land(aside, keepMetadata ? looksOf(source) : NEW_LOOKS, landing);
  } finally {
    await aside.discard();
  }
};

const demandSettled = ({ file, entry }: Source): void => {
  const { size, mtimeMs } = fstatSync(file.fd);
  if (size !== entry.size || mtimeMs !== entry.mtimeMs) throw changedMeanwhile(entry.path);
};

/** The looks of a copy that keeps its metadata; rights to act as somebody else do not travel. */
export const looksOf = ({ entry: { mode, mtimeMs }, atimeMs, file }: Source): Looks => {
  const now = fstatSync(file.fd, { bigint: true }); // times are exact only so
  const isUnchanged = msOf(now.mtimeNs) === mtimeMs;
  return { mode: mode & 0o777, times: isUnchanged ? now : { atimeMs, mtimeMs } };
};

/** As Node tells it where it is not asked for whole numbers. */
const msOf = (ns: bigint): number => Number(ns / 1_000_000_000n) * 1e3 + Number(ns % 1_000_000_000n) / 1e6;

/** The looks of a file that takes over those of what it replaces, if anything. */
export const NEW_LOOKS: Looks = { mode: undefined };

/** The change that a landing makes. */
export const changeAt = ({ real }: Spot, replaced: Stats | undefined, arriving?: Stats): Change => ({
  path: real,
  ...(replaced === undefined ? { kind: 'create' } : { kind: 'overwrite', entry: entryOf(real, replaced) }),
  ...(arriving !== undefined && { arriving: entryOf(real, arriving) }),
});
