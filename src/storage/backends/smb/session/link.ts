import type { Session } from './session.ts';

/** The session of a storage: opened when it is first needed, and again when it was lost. */
export interface Link extends AsyncDisposable {
  session(signal: AbortSignal): Promise<Session>;
}

export const createLink = (open: (signal: AbortSignal) => Promise<Session>): Link => {
  const closing = new AbortController();
  let opening: Promise<Session> | undefined;
  let current: Session | undefined;

  const opened = async (): Promise<Session> => {
    try {
      current = await open(closing.signal);
      return current;
    } finally {
      opening = undefined;
    }
  };

  return {
    async session(signal) {
      signal.throwIfAborted();
      closing.signal.throwIfAborted();
      if (current?.isOpen === true) return current;
      // All who come meanwhile wait for one login. One of them giving up does not end it for the others.
      opening ??= opened();
      return unlessAborted(opening, signal);
    },
    async [Symbol.asyncDispose]() {
      const pending = opening;
      closing.abort(new Error('The storage was closed.'));
      await pending?.catch(() => {}); // whoever waits for it is told
      await current?.close();
    },
  };
};

const unlessAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
