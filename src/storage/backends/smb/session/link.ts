import type { Session } from './session.ts';

/** The sessions of a storage: opened when they are needed, and again when they were lost. */
export interface Link extends AsyncDisposable {
  /** One for a single piece of work, which does all of it there. */
  session(signal: AbortSignal): Promise<Session>;
}

/** Servers work one by one through what comes over a connection, so much work at once gets several. */
const MAX_SESSIONS = 4;
/** So many requests that wait are much. */
const BUSY = 6;

export const createLink = (open: (signal: AbortSignal) => Promise<Session>): Link => {
  const closing = new AbortController();
  let sessions: readonly Session[] = [];
  let opening: Promise<Session> | undefined;
  let most = MAX_SESSIONS;

  const openOne = async (): Promise<Session> => {
    try {
      const session = await open(closing.signal);
      sessions = [...sessions, session];
      return session;
    } finally {
      opening = undefined;
    }
  };

  return {
    async session(signal) {
      signal.throwIfAborted();
      closing.signal.throwIfAborted();
      if (sessions.some(({ isOpen }) => !isOpen)) sessions = sessions.filter(({ isOpen }) => isOpen);
      const [first, ...others] = sessions;
      if (first === undefined) {
        // All who come meanwhile wait for one login. One of them giving up does not end it for the others.
        opening ??= openOne();
        return unlessAborted(opening, signal);
      }
      const idlest = others.reduce((best, each) => (each.load < best.load ? each : best), first);
      if (idlest.load >= BUSY && sessions.length < most && opening === undefined) {
        opening = openOne();
        opening.catch(() => {
          most = Math.max(1, sessions.length); // the server wants no more; what is there serves
        });
      }
      return idlest;
    },
    async [Symbol.asyncDispose]() {
      const pending = opening;
      closing.abort(new Error('The storage was closed.'));
      await pending?.catch(() => {}); // whoever waits for it is told
      await Promise.all(sessions.map((session) => session.close()));
      sessions = [];
    },
  };
};

const unlessAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
