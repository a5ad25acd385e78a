import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Script } from 'node:vm';

/** Compiled code from earlier starts: a saving only, so every fault means "none". */
interface CodeCache {
  compile(file: string, make: (cachedData: Buffer | undefined) => Script): Script;
  /** Writes down what had to be compiled this time. */
  keep(): void;
}

/** After so many runs a command's usual ways are known; afterwards one run a day may add to them. */
const LEARNING_RUNS = 3;
const DAY_MS = 86_400_000;

/**
 * Keeps code below `dir`, which has to be as trusted as the program itself: V8 runs what it finds there. Each command has its own copy,
 * because what V8 keeps is the code that was used. The names of files change with their content, so nothing can be stale.
 */
export const openCodeCache = (dir: string, command: string): CodeCache => {
  const place = join(dir, `${process.version}-${process.arch}`, /^[a-z-]+$/.test(command) ? command : 'other');
  const scripts = new Map<string, Script>();
  const today = Math.floor(Date.now() / DAY_MS);
  let fewestRuns = LEARNING_RUNS;
  let isOfToday = true;
  return {
    compile(file, make) {
      const { data, runs, day } = read(join(place, file));
      const script = make(data);
      scripts.set(file, script);
      fewestRuns = Math.min(fewestRuns, script.cachedDataRejected === true ? 0 : runs);
      isOfToday &&= day === today;
      return script;
    },
    keep() {
      // Coverage counts only code that was compiled on the spot.
      if ((fewestRuns === LEARNING_RUNS && isOfToday) || process.env.NODE_V8_COVERAGE !== undefined) return;
      try {
        mkdirSync(place, { recursive: true });
        for (const [file, script] of scripts)
          write(join(place, file), { data: script.createCachedData(), runs: fewestRuns + 1, day: today });
      } catch {
        // Installed by another user, or on a read-only disk: the next start compiles again.
      }
    },
  };
};

/** The code of a file, how many runs have added to it, and the day of the last one. */
interface Kept {
  readonly data: Buffer;
  readonly runs: number;
  readonly day: number;
}

const TRAILER_BYTES = 12;

const read = (path: string): Kept | { readonly data: undefined; readonly runs: 0; readonly day: 0 } => {
  try {
    const stored = readFileSync(path);
    const data = stored.subarray(0, -TRAILER_BYTES);
    const end = data.length;
    if (stored.readInt32LE(end) === sum(data)) return { data, runs: stored.readInt32LE(end + 4), day: stored.readInt32LE(end + 8) };
  } catch {
    // Not there yet, or cut short.
  }
  return { data: undefined, runs: 0, day: 0 };
};

const write = (path: string, { data, runs, day }: Kept) => {
  const trailer = Buffer.alloc(TRAILER_BYTES);
  trailer.writeInt32LE(sum(data));
  trailer.writeInt32LE(runs, 4);
  trailer.writeInt32LE(day, 8);
  const aside = join(dirname(path), `${process.pid}-${process.hrtime.bigint()}.part`);
  const handle = openSync(aside, 'w');
  try {
    writeSync(handle, Buffer.concat([data, trailer]));
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(aside, path);
};

/** Disks lose sectors, not bits, so a word from each tells. */
const SECTOR_WORDS = 512 / 4;

/** V8 does not check the content and crashes on a damaged one. */
const sum = (data: Buffer): number => {
  const words = new Int32Array(data.buffer, data.byteOffset, data.length >> 2);
  let total = data.length;
  for (let at = 0; at < words.length; at += SECTOR_WORDS) total = (Math.imul(total, 31) + (words[at] ?? 0)) | 0;
  return total;
};
