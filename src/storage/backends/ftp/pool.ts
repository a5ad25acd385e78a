import { setMaxListeners } from 'node:events';
import { storageCode } from '../../faults.ts';
import type { ControlOptions } from './control.ts';
import { type FtpSession, openFtp } from './login.ts';

/** The connections of one storage: each does one thing at a time, so there are as many as things are done at once, up to a limit. */
export interface FtpPool extends AsyncDisposable {
  /** Lends a connection for a piece of work. */
  use<T>(signal: AbortSignal, work: (session: FtpSession) => Promise<T>): Promise<T>;
  take(signal: AbortSignal): Promise<FtpSession>;
  giveBack(session: FtpSession): void;
}

const MAX_CONNECTIONS = 8;
/** After so long a connection is asked whether it still lives before it is used. */
const DOUBT_MS = 5000;

export const createPool = (options: Omit<ControlOptions, 'signal'>): FtpPool => {
  const { settings, faults, world } = options;
  const closing = new AbortController();
  const idle: FtpSession[] = [];
  const all = new Set<FtpSession>();
  /** Those who wait for a connection, the longest first. */
  const queue: (() => void)[] = [];
  let opening = 0;
  /** Fewer where the server takes fewer. */
  let limit = MAX_CONNECTIONS;

  const wakeNext = (): void => queue.shift()?.();
  const turn = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const settle = (): void => {
        signal.removeEventListener('abort', stop);
        resolve();
      };
      const stop = (): void => {
        const at = queue.indexOf(settle);
        if (at >= 0) queue.splice(at, 1);
        reject(signal.reason);
      };
      queue.push(settle);
      signal.addEventListener('abort', stop, { once: true });
    });

  const isAlive = async (session: FtpSession): Promise<boolean> => {
    if (!session.isOpen) return false;
    if (world.clock.now() - session.usedMs < DOUBT_MS) return true;
    return session.ask('NOOP').then(
      () => true,
      () => false,
    );
  };

  const open = async (signal: AbortSignal): Promise<FtpSession | undefined> => {
    opening += 1;
    try {
      const session = await openFtp({ ...options, signal: AbortSignal.any([signal, closing.signal]) });
      all.add(session);
      return session;
    } catch (fault) {
      signal.throwIfAborted();
      // A server that is full for us, but has taken others of ours or is about to, takes no more than those.
      const others = all.size + opening - 1;
      if (storageCode(fault) !== 'busy' || others === 0) throw fault;
      limit = others;
      return undefined;
    } finally {
      opening -= 1;
    }
  };

  const take = async (signal: AbortSignal): Promise<FtpSession> => {
    setMaxListeners(0, signal); // all that goes on at once listens to one signal
    for (;;) {
      signal.throwIfAborted();
      closing.signal.throwIfAborted();
      const free = idle.pop();
      if (free !== undefined) {
        if (await isAlive(free)) return free;
        forget(free);
      } else if (all.size + opening < limit) {
        const opened = await open(signal).catch((fault: unknown) => {
          wakeNext();
          throw fault;
        });
        if (opened !== undefined) return opened;
      } else await turn(signal);
    }
  };
  const forget = (session: FtpSession): void => {
    session.destroy();
    all.delete(session);
  };
  const giveBack = (session: FtpSession): void => {
    session.usedMs = world.clock.now();
    if (session.isOpen && !closing.signal.aborted) idle.push(session);
    else forget(session);
    wakeNext();
  };

  return {
    take,
    giveBack,
    async use(signal, work) {
      const session = await take(signal);
      try {
        return await work(session);
      } finally {
        giveBack(session);
      }
    },
    async [Symbol.asyncDispose]() {
      closing.abort(faults.because('broken', `The connection to ${settings.host} was closed.`, { context: { host: settings.host } }));
      for (const session of all) session.destroy();
      for (const settle of queue.splice(0)) settle();
    },
  };
};
