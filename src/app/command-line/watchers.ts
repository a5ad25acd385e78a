import { existsSync } from 'node:fs';
import type { WatcherSnapshot } from '../../core/ports/watchers.ts';
import { embeddedStore } from '../../services/engine/embedded/embedded-store.ts';
import { memoryStore } from '../../services/engine/memory/memory-store.ts';
import { openWatcherBook } from '../../services/watchers/book.ts';
import { configuredWatcher } from '../../services/watchers/from-config.ts';
import { type Probed, probeDirectory } from '../../services/watchers/probe.ts';
import type { Config } from '../config/load-config.ts';
import { userStoreFile } from '../state/user-store.ts';

export type { Probed };

const clock = { now: Date.now, monotonic: () => performance.now() };

/** The watchers of this user, for a command beside the service: those of the store, and those of the configuration that are not there yet. */
export const listWatchersOfUser = async (
  { store: { path }, watchers }: Pick<Config, 'store' | 'watchers'>,
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly WatcherSnapshot[]> => {
  const file = userStoreFile({ path }, env);
  // Looking leaves nothing behind.
  await using store = existsSync(file) ? embeddedStore({ file }) : memoryStore();
  await using written = memoryStore();
  const stored = await openWatcherBook({ store, clock, log: () => {} }).list();
  const names = new Set(stored.map(({ name }) => name));
  const book = openWatcherBook({ store: written, clock, log: () => {} });
  // Nothing is looked at below the paths: they may be large, and no service has taken these in.
  await book.configure(watchers.filter(({ name }) => !names.has(name)).map(configuredWatcher), { hasBaseline: false });
  return [...stored, ...(await book.list())].sort((a, b) => (a.name < b.name ? -1 : 1));
};

/** Sees how soon the system tells of a new file in a directory. */
export const probeForWatchers = (path: string): Promise<Probed> => {
  // The command waits for nothing else, so its timer keeps it alive.
  const setTimer = (work: () => void, ms: number) => {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  };
  return probeDirectory(path, { setTimer });
};
