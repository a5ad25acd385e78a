import { dirname, join } from 'node:path';
import type { Store } from '../port.ts';
import { openSpool } from '../spool/spool.ts';
import { createStore } from './create-store.ts';
import { linkLocally } from './local-link.ts';
import { linkThread, writerUrl } from './thread-link.ts';

export interface EmbeddedOptions {
  /** The database file. */
  readonly file: string;
  /** Keeps other serving instances away and writes in a thread of its own. */
  readonly isServing?: boolean;
  /** The directory is the store's own and holds its spool; false for a file that a caller has named. */
  readonly isPrivate?: boolean;
  /** Makes no store and brings none into being in an empty file. */
  readonly isOnlyRead?: boolean;
  readonly now?: () => number;
  /** The module of the writer's thread; without one the store works on this thread. */
  readonly writer?: URL | undefined;
}

/** The file of the store in a state directory. */
export const storeFileIn = (stateDirectory: string): string => join(stateDirectory, 'factotum.db');

/** A store in one SQLite file. Nothing is opened before the first call. */
export const embeddedStore = ({
  file,
  isServing = false,
  isPrivate = true,
  isOnlyRead = false,
  now = Date.now,
  writer = isServing ? writerUrl() : undefined,
}: EmbeddedOptions): Store => {
  const options = { file, isServing, isPrivate, isOnlyRead };
  return createStore({
    connect: () => (writer === undefined ? linkLocally(options) : linkThread(options, writer)),
    // In the same kind of thread, and only beside a writer in one: otherwise everything waits for the one thread there is.
    ...(writer !== undefined && { connectReader: () => linkThread({ file, isServing: false, isPrivate, isReader: true }, writer) }),
    now,
    place: file,
    ...(isPrivate && { spool: openSpool(dirname(file), now) }),
  });
};
