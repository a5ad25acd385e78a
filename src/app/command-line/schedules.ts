import { existsSync } from 'node:fs';
import { SchedulerException } from '../../core/errors.ts';
import type { ScheduleSnapshot } from '../../core/ports/scheduler.ts';
import { embeddedStore } from '../../services/engine/embedded/embedded-store.ts';
import { memoryStore } from '../../services/engine/memory/memory-store.ts';
import type { Store } from '../../services/engine/port.ts';
import { openScheduleBook, type ScheduleBook } from '../../services/scheduler/book.ts';
import { configuredSchedule } from '../../services/scheduler/from-config.ts';
import type { Config } from '../config/load-config.ts';
import { userStoreFile } from '../state/user-store.ts';

/** The jobs of this user, for a command beside the service that runs them. */
export interface SchedulesOfUser extends AsyncDisposable {
  /** Those of the configuration are there too, before a service has ever taken them in. */
  list(): Promise<readonly ScheduleSnapshot[]>;
  next(name: string, count: number): Promise<readonly string[]>;
  pause: ScheduleBook['pause'];
  resume: ScheduleBook['resume'];
  drained: ScheduleBook['drained'];
}

/** Opens the jobs in the store that the configuration names, or in that of the user. */
export const openSchedulesOfUser = async (
  { store: { path }, schedules }: Pick<Config, 'store' | 'schedules'>,
  env: Readonly<Record<string, string | undefined>>,
): Promise<SchedulesOfUser> => {
  const file = userStoreFile({ path }, env);
  // Looking leaves nothing behind.
  const store = existsSync(file) ? embeddedStore({ file }) : memoryStore();
  const book = openBook(store);
  const inStore = new Set((await store.schedules.list()).map(({ name }) => name));
  const written = memoryStore();
  const writtenBook = openBook(written);
  await writtenBook.configure(schedules.filter(({ name }) => !inStore.has(name)).map(configuredSchedule));
  const isOnlyWritten = (name: string) => !inStore.has(name) && schedules.some((entry) => entry.name === name);
  return {
    list: async () => [...(await book.list()), ...(await writtenBook.list())].sort((a, b) => (a.name < b.name ? -1 : 1)),
    next: (name, count) => (isOnlyWritten(name) ? writtenBook : book).next(name, count),
    async pause(name) {
      if (isOnlyWritten(name)) throw notTakenIn(name);
      return book.pause(name);
    },
    async resume(name) {
      if (isOnlyWritten(name)) throw notTakenIn(name);
      return book.resume(name);
    },
    drained: book.drained,
    async [Symbol.asyncDispose]() {
      await Promise.all([store.close(), written.close()]);
    },
  };
};

const notTakenIn = (name: string) =>
  new SchedulerException(
    `No service has taken the job ${JSON.stringify(name)} in yet; start one, or set \`enabled\` in the configuration.`,
    {
      context: { name },
    },
  );

const openBook = (store: Store): ScheduleBook =>
  openScheduleBook({
    store,
    clock: { now: Date.now, monotonic: () => performance.now() },
    // The command waits for nothing else, so its timers keep it alive.
    setTimer: (work, ms) => {
      const timer = setTimeout(work, ms);
      return () => clearTimeout(timer);
    },
  });
