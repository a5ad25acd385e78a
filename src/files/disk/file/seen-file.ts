import { type BigIntStats, fstatSync, lstatSync, readSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { ownFault } from '../../../lib/fs/system-fault.ts';

/** A file as it was before it was read for an edit. */
export interface SeenFile {
  /** Throws `EEDITED` where something else stands at the address, or the same file and anything about it was changed. */
  demandUntouched(address: string): void;
  /** The same but for what the journal does to a file: it may have got another name. */
  demandSameContent(address: string): void;
  /** Whether either of the two would throw. */
  isTouched(address: string): boolean;
  /** How many bytes were put behind it since; throws `EEDITED` where it was changed in any other way. */
  grownBy(): number;
}

/** The clock of a file system may stand still for this long: what was changed in that time can be changed again without a trace. */
const TICK_MS = 30;
/** Where times have no fractions: of FAT, the coarsest. */
const COARSE_TICK_MS = 2_000;
/** Up to here the content itself is compared; larger files are read when their times can be trusted. */
const COMPARED_BYTES = 1024 * 1024;

/** Looks at an open file; everything that is read of it must be read afterwards. */
export const seeFile = async (fd: number): Promise<SeenFile> => {
  let seen = fstatSync(fd, { bigint: true });
  const isSmall = seen.size <= COMPARED_BYTES;
  if (!isSmall && youthMs(seen) > 0) {
    await delay(Math.min(youthMs(seen), COARSE_TICK_MS));
    seen = fstatSync(fd, { bigint: true });
  }
  const content = isSmall && youthMs(seen) > 0 ? contentOf(fd, Number(seen.size)) : undefined;

  const demandSameContent = (address: string): void => {
    const there = lstatSync(address, { bigint: true, throwIfNoEntry: false });
    if (there === undefined || !isSameFile(there, seen) || !hasSameLooks(there, seen)) throw ownFault('EEDITED');
    if (content !== undefined && !contentOf(fd, content.length).equals(content)) throw ownFault('EEDITED');
  };
  const demandUntouched = (address: string): void => {
    demandSameContent(address);
    if (fstatSync(fd, { bigint: true }).ctimeNs !== seen.ctimeNs) throw ownFault('EEDITED');
  };
  return {
    demandSameContent,
    demandUntouched,
    isTouched(address) {
      try {
        demandUntouched(address);
        return false;
      } catch {
        return true;
      }
    },
    grownBy() {
      const now = fstatSync(fd, { bigint: true });
      if (hasSameLooks(now, seen)) return 0;
      if (now.size <= seen.size) throw ownFault('EEDITED');
      return Number(now.size - seen.size);
    },
  };
};

const isSameFile = (one: BigIntStats, other: BigIntStats): boolean => one.ino === other.ino && one.dev === other.dev;

const hasSameLooks = (one: BigIntStats, other: BigIntStats): boolean => one.size === other.size && one.mtimeNs === other.mtimeNs;

const SECOND_NS = 1_000_000_000n;

/** How long its times cannot be trusted yet. */
const youthMs = ({ mtimeNs, ctimeNs, mtimeMs, ctimeMs }: BigIntStats): number => {
  const tickMs = mtimeNs % SECOND_NS === 0n && ctimeNs % SECOND_NS === 0n ? COARSE_TICK_MS : TICK_MS;
  const youngestMs = Number(mtimeMs > ctimeMs ? mtimeMs : ctimeMs);
  return youngestMs + tickMs - Date.now();
};

const contentOf = (fd: number, size: number): Buffer => {
  const into = Buffer.allocUnsafe(size);
  let filled = 0;
  for (let more = -1; filled < size && more !== 0; filled += more) more = readSync(fd, into, filled, size - filled, filled);
  return into.subarray(0, filled);
};
