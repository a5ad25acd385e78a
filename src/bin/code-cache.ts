import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Script } from 'node:vm';

/** Compiled code from earlier starts: a saving only, so every fault means "none". */
interface CodeCache {
  compile(file: string, make: (cachedData: Buffer | undefined) => Script): Script;
  /** Writes down what had to be compiled this time. */
  keep(): void;
  /** Called before threads start, which cannot see whether the flags have changed since. */
  tellThreads(): void;
}

/** Under this name a thread finds the tag of the flags that the process started with. */
const FLAGS_NAME = 'factotum.flags-of-v8';

/** After so many runs a command's usual ways are known; afterwards one run a day may add to them. */
const LEARNING_RUNS = 3;
const DAY_MS = 86_400_000;

/**
 * Keeps code below `dir`, which has to be as trusted as the program itself: V8 runs what it finds there. Each command has its own copy,
 * because what V8 keeps is the code that was used. The names of files change with their content, so nothing can be stale. It lies in the
 * package, where only those can write who can change the program too, and which is closed to callers with limits.
 */
export const openCodeCache = (dir: string, command: string, { isThread = false } = {}): CodeCache => {
  const place = join(dir, `${process.version}-${process.arch}`, /^[a-z]+(?:-\w+)?$/.test(command) ? command : 'other');
  const scripts = new Map<string, Script>();
  const today = Math.floor(Date.now() / DAY_MS);
  let fewestRuns = LEARNING_RUNS;
  let isOfToday = true;
  /** Those of the process's start. */
  let flags = isThread ? toldFlags() : undefined;
  return {
    compile(file, make) {
      const kept = read(join(place, file));
      const script = make(kept?.data);
      scripts.set(file, script);
      const { runs, day, flags: keptFlags } = kept === undefined || script.cachedDataRejected === true ? UNKNOWN : kept;
      fewestRuns = Math.min(fewestRuns, runs);
      isOfToday &&= day === today;
      flags ??= keptFlags ?? tagOfFlags();
      return script;
    },
    keep() {
      // Coverage counts only code that was compiled on the spot.
      if ((fewestRuns === LEARNING_RUNS && isOfToday) || process.env.NODE_V8_COVERAGE !== undefined) return;
      if (flags === undefined || flags !== tagOfFlags()) return;
      try {
        mkdirSync(place, { recursive: true });
        for (const [file, script] of scripts)
          write(join(place, file), { data: script.createCachedData(), runs: fewestRuns + 1, day: today, flags });
        dropOldest(dir, place);
      } catch {
        // Installed by another user, or on a read-only disk: the next start compiles again.
      }
    },
    tellThreads() {
      if (!isThread) threads().setEnvironmentData(FLAGS_NAME, flags);
    },
  };
};

/** All that is kept, of every command and every version of Node. */
const MOST_BYTES = 32 * 2 ** 20;

/** Removes what was written longest ago until the rest is within the bound; what was written just now stays. */
const dropOldest = (dir: string, place: string) => {
  let total = 0;
  const places = readdirSync(dir)
    .flatMap((version) => readdirSync(join(dir, version)).map((command) => join(dir, version, command)))
    .map((path) => ({ path, atMs: path === place ? Number.POSITIVE_INFINITY : statSync(path).mtimeMs }))
    .sort((one, other) => other.atMs - one.atMs);
  for (const { path } of places) {
    total += readdirSync(path).reduce((bytes, file) => bytes + statSync(join(path, file)).size, 0);
    if (total > MOST_BYTES && path !== place) rmSync(path, { recursive: true, force: true });
  }
};

const toldFlags = (): number | undefined => {
  const told = threads().getEnvironmentData(FLAGS_NAME);
  return typeof told === 'number' ? told : undefined;
};

/** Loaded late, as few runs need it. */
const threads = (): typeof import('node:worker_threads') => require('node:worker_threads');

/** V8 refuses code that was kept under other flags than it has at the next start; some actions change them. Few runs need the module. */
const tagOfFlags = (): number => require('node:v8').cachedDataVersionTag();

/** The code of a file, how many runs have added to it, the day of the last one, and the tag of its flags. */
interface Kept {
  readonly data: Buffer;
  readonly runs: number;
  readonly day: number;
  readonly flags: number;
}

const UNKNOWN = { runs: 0, day: 0, flags: undefined };
const TRAILER_BYTES = 16;

const read = (path: string): Kept | undefined => {
  try {
    const stored = readFileSync(path);
    const length = (stored.length - TRAILER_BYTES) / 2;
    const data = stored.subarray(0, length);
    const word = (at: number) => stored.readUInt32LE(2 * length + at);
    const isWhole = data.equals(stored.subarray(length, 2 * length)) && word(0) === sum(data);
    if (isWhole) return { data, runs: word(4), day: word(8), flags: word(12) };
  } catch {
    // Not there yet, or cut short.
  }
  return undefined;
};

const write = (path: string, { data, runs, day, flags }: Kept) => {
  const trailer = Buffer.alloc(TRAILER_BYTES);
  for (const [at, word] of [sum(data), runs, day, flags].entries()) trailer.writeUInt32LE(word, 4 * at);
  const aside = join(dirname(path), `${process.pid}-${process.hrtime.bigint()}.part`);
  const handle = openSync(aside, 'w');
  try {
    writeSync(handle, Buffer.concat([data, data, trailer]));
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(aside, path);
};

/** What is lost in the same place of both copies is a sector or more, so a word from each tells. */
const SECTOR_WORDS = 512 / 4;

/**
 * V8 does not check the content and crashes on a damaged one, so every byte is kept twice: comparing takes a tenth of a millisecond,
 * while any digest of ours would take longer than the start is meant to, and those of Node have to be loaded first.
 */
const sum = (data: Buffer): number => {
  const words = new Int32Array(data.buffer, data.byteOffset, data.length >> 2);
  let total = data.length;
  for (let at = 0; at < words.length; at += SECTOR_WORDS) total = (Math.imul(total, 31) + (words[at] ?? 0)) >>> 0;
  return total;
};
