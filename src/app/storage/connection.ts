import { StorageException } from '../../core/errors.ts';
import type { PartedWrite, Storage } from '../../core/storage.ts';
import type { SetTimer } from '../../lib/async/timer.ts';

/** A storage that is opened when it is first used, closed when nobody has used it for a while, and opened again after that. */
export interface Connection {
  /** The storage as everybody may share it. */
  storage(): Promise<Storage>;
  /** Nobody new uses it: it is closed soon after the last who do. */
  retire(): void;
  /** Closes it now and for good, whoever uses it. */
  close(): Promise<void>;
}

export interface ConnectionOptions {
  readonly idleMs: number;
  readonly setTimer: SetTimer;
  open(): Promise<Storage>;
  /** Called when it was unused for so long; it has been closed by then. */
  onIdle?(): void;
}

/** How long one that was replaced waits between two calls of whoever still uses it. */
const RETIRED_MS = 10_000;

export const createConnection = ({ idleMs, setTimer, open, onIdle }: ConnectionOptions): Connection => {
  let opened: Promise<Storage> | undefined;
  let users = 0;
  let restMs = idleMs;
  let isOver = false;
  let stopTimer: (() => void) | undefined;

  const live = async (): Promise<Storage> => {
    if (isOver) throw new StorageException('The connection was closed meanwhile; open it again.', { context: { code: 'unreachable' } });
    opened ??= open().catch((fault: unknown) => {
      opened = undefined; // the next call tries again
      throw fault;
    });
    return opened;
  };

  const shut = async (): Promise<void> => {
    stopTimer?.();
    const closing = opened;
    opened = undefined;
    // One that never opened has told whoever waited for it.
    const storage = await closing?.catch(() => undefined);
    await storage?.[Symbol.asyncDispose]();
  };

  const rest = (): void => {
    stopTimer?.();
    if (users > 0 || isOver) return;
    stopTimer = setTimer(() => {
      shut().catch(() => {}); // what a server says to a farewell concerns nobody
      onIdle?.();
    }, restMs);
  };

  const begin = (): (() => void) => {
    users += 1;
    stopTimer?.();
    return () => {
      users -= 1;
      rest();
    };
  };

  return {
    async storage() {
      const end = begin();
      try {
        return shared(await live(), { live, begin });
      } finally {
        end();
      }
    },
    retire() {
      restMs = Math.min(idleMs, RETIRED_MS);
      rest();
    },
    async close() {
      isOver = true;
      await shut();
    },
  };
};

interface Sharing {
  live(): Promise<Storage>;
  /** Counts a user; the answer ends that. */
  begin(): () => void;
}

/** Calls go to whatever is open at that moment, and each counts as use until it has ended. */
const shared = (first: Storage, { live, begin }: Sharing): Storage => {
  const during = async <T>(work: (storage: Storage) => Promise<T>): Promise<T> => {
    const end = begin();
    try {
      return await work(await live());
    } finally {
      end();
    }
  };

  async function* whileRead<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
    const end = begin();
    try {
      yield* items;
    } finally {
      end();
    }
  }

  const parted = (write: PartedWrite): PartedWrite => ({
    ...write,
    put: (number, content, options) => during(() => write.put(number, content, options)),
    commit: (parts, options) => during(() => write.commit(parts, options)),
    discard: (options) => during(() => write.discard(options)),
  });

  return {
    location: first.location,
    can: first.can,
    stat: (path, options) => during((storage) => storage.stat(path, options)),
    async *list(path, options) {
      yield* whileRead((await live()).list(path, options));
    },
    read: (path, options) => during(async (storage) => whileRead(await storage.read(path, options))),
    write: (path, content, options) => during((storage) => storage.write(path, content, options)),
    remove: (path, options) => during((storage) => storage.remove(path, options)),
    ...(first.makeDir && { makeDir: (path, options) => during(async (storage) => storage.makeDir?.(path, options)) }),
    ...(first.removeDir && {
      removeDir: (path, options) => during(async (storage) => (await storage.removeDir?.(path, options)) === true),
    }),
    ...withCopies(first, during),
    ...(first.startParts && {
      startParts: (path, options) => during(async (storage) => parted(await present(storage.startParts)(path, options))),
    }),
    ...(first.resumeParts && {
      resumeParts: (path, ticket, options) =>
        during(async (storage) => {
          const resumed = await present(storage.resumeParts)(path, ticket, options);
          return resumed && parted(resumed);
        }),
    }),
    ...(first.sweep && { sweep: (path, options) => during(async (storage) => storage.sweep?.(path, options)) }),
    // It is everybody's: whoever has done with it leaves it open for the others.
    async [Symbol.asyncDispose]() {},
  };
};

type During = <T>(work: (storage: Storage) => Promise<T>) => Promise<T>;

const withCopies = ({ copy, move }: Storage, during: During): Pick<Storage, 'copy' | 'move'> => ({
  ...(copy && { copy: (from, to, options) => during((storage) => present(storage.copy)(from, to, options)) }),
  ...(move && { move: (from, to, options) => during((storage) => present(storage.move)(from, to, options)) }),
});

/** What a storage of the same settings could do when it was first opened. */
const present = <T>(method: T | undefined): T => {
  if (method === undefined) throw new TypeError('A storage lost an ability when it was opened again.');
  return method;
};
