import { rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type SetTimer, systemTimer } from '../../lib/async/timer.ts';
import { newPartName } from '../../lib/fs/part-name.ts';
import { watchDirectory as hintsOfThisMachine, remedyFor, type WatchDirectory } from './disk/hints.ts';
import { isNetworkMount } from './disk/network-mount.ts';

/** What a directory can do for a watcher. */
export interface Probed {
  readonly path: string;
  /** How long the system took to hint at a new file; null: it did not. */
  readonly latency_ms: number | null;
  /** Other machines may change it, which gives no hints: watchers look regularly. */
  readonly is_network_mount: boolean;
  /** What helps where no hint came. */
  readonly message: string | null;
}

export interface ProbeParts {
  readonly watchDirectory?: WatchDirectory;
  readonly setTimer?: SetTimer;
}

const PATIENCE_MS = 3_000;

/** Writes a file into a directory, sees how soon the system tells of it, and removes it. */
export const probeDirectory = async (path: string, parts: ProbeParts = {}): Promise<Probed> => {
  const { watchDirectory = hintsOfThisMachine, setTimer = systemTimer } = parts;
  const name = newPartName();
  await stat(path); // what is not there is a fault of its own
  const found = { path, is_network_mount: await isNetworkMount(path) };
  const { promise, resolve } = hintOf(name, setTimer);
  let stop = () => {};
  try {
    stop = watchDirectory(path, { hinted: resolve, failed: () => resolve(undefined) });
  } catch (fault) {
    return { ...found, latency_ms: null, message: remedyFor(fault) };
  }
  try {
    const started = performance.now();
    await writeFile(join(path, name), '');
    const isHinted = await promise;
    const took = Math.round((performance.now() - started) * 10) / 10;
    return isHinted ? { ...found, latency_ms: took, message: null } : { ...found, latency_ms: null, message: SILENT };
  } finally {
    stop();
    await rm(join(path, name), { force: true });
  }
};

const SILENT = 'The system did not tell of a new file; watchers here need `poll = true`.';

/** True at the first hint at a name; false where it does not come or cannot come any more. */
const hintOf = (name: string, setTimer: SetTimer) => {
  let settle = (_: boolean) => {};
  const promise = new Promise<boolean>((resolve) => {
    settle = resolve;
  });
  const stopTimer = setTimer(() => settle(false), PATIENCE_MS);
  const resolve = (hinted: string | null | undefined) => {
    if (hinted !== undefined && hinted !== null && hinted !== name) return;
    stopTimer();
    settle(hinted !== undefined);
  };
  return { promise, resolve };
};
