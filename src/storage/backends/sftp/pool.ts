import { setMaxListeners } from 'node:events';
import type { StorageFaults } from '../../faults.ts';
import { orAbort } from '../../handed-out.ts';
import { openSsh, type SshOptions } from './connect.ts';
import { createSession, type SftpSession } from './session.ts';

/** The connections of one storage. Requests of many calls share them; a lost one is opened again when it is needed. */
export interface SftpPool extends AsyncDisposable {
  /** Lends a connection until it is given back. */
  take(signal: AbortSignal): Promise<SftpSession>;
  giveBack(session: SftpSession): void;
  /** Lends a connection for one piece of work. */
  use<T>(signal: AbortSignal, work: (session: SftpSession) => Promise<T>): Promise<T>;
  /** Another connection beside one, for a large file; undefined where there is none to be had. */
  second(beside: SftpSession): Promise<SftpSession | undefined>;
}

export interface PoolOptions extends Omit<SshOptions, 'signal'> {
  readonly faults: StorageFaults;
}

/** Two keep two processors of either side busy; more of them bring no more. */
const MAX_CONNECTIONS = 2;
/** So many calls share one connection before another one is opened. */
const CROWD = 4;

export const createPool = (options: PoolOptions): SftpPool => {
  const { settings, faults } = options;
  const closing = new AbortController();
  let sessions: SftpSession[] = [];
  let opening: Promise<SftpSession> | undefined;
  /** Set while the server takes no second connection; the next loss forgets it. */
  let isAlone = false;

  const open = (): Promise<SftpSession> => {
    opening ??= openSsh({ ...options, signal: closing.signal })
      .then((opened) => {
        const session = createSession(opened, { faults, host: settings.host, timeoutMs: (settings.timeout ?? 15) * 1000 });
        sessions.push(session);
        if (closing.signal.aborted) session.destroy();
        return session;
      })
      .finally(() => {
        opening = undefined;
      });
    return opening;
  };

  const openAnother = async (): Promise<SftpSession | undefined> => {
    try {
      return await open();
    } catch {
      isAlone = true; // one connection does the same work, a little slower
      return undefined;
    }
  };

  const choose = async (): Promise<SftpSession> => {
    const before = sessions.length;
    sessions = sessions.filter(({ isOpen }) => isOpen);
    if (sessions.length < before) isAlone = false;
    const [free] = sessions.toSorted((one, other) => one.users - other.users);
    if (free === undefined) return open();
    if (free.users >= CROWD && sessions.length < MAX_CONNECTIONS && !isAlone && opening === undefined) void openAnother();
    return free;
  };

  const take = async (signal: AbortSignal): Promise<SftpSession> => {
    signal.throwIfAborted();
    setMaxListeners(0, signal); // all that goes on at once listens to one signal
    const session = await orAbort(choose(), signal);
    session.users += 1;
    return session;
  };
  const giveBack = (session: SftpSession): void => {
    session.users -= 1;
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
    async second(beside) {
      const other = sessions.find((each) => each !== beside && each.isOpen);
      if (other !== undefined || isAlone) return other;
      const opened = await openAnother();
      return opened === beside ? undefined : opened;
    },
    async [Symbol.asyncDispose]() {
      closing.abort(faults.because('broken', `The connection to ${settings.host} was closed.`, { context: { host: settings.host } }));
      for (const session of sessions) session.destroy();
      await opening?.catch(() => {});
    },
  };
};
