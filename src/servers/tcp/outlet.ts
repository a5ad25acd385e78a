import type { Socket } from 'node:net';

/** The writing side of a connection: answers are gathered and written together, but none waits for a list that is still running. */
export interface Outlet {
  push(line: string): void;
  /** A part of a line; `push` ends it. */
  pushPart(text: string): void;
  flush(): void;
  /** The client takes less than it gets. */
  readonly isFull: boolean;
  /** Waits while it is full; false where that lasts too long. */
  taken(patienceMs: number): Promise<boolean>;
  /** Ends our side; resolves once everything is on its way or the connection is gone, false where that lasts too long. */
  end(patienceMs: number): Promise<boolean>;
}

/** Gathered answers of this length are worth a write of their own. */
const ENOUGH = 64 * 1024;

export const createOutlet = (socket: Socket): Outlet => {
  let gathered = '';
  let isAwaited = false;

  const flush = () => {
    isAwaited = false;
    if (gathered === '') return;
    const text = gathered;
    gathered = '';
    if (socket.writable) socket.write(text);
  };

  const gather = (text: string): void => {
    gathered += text;
    if (gathered.length >= ENOUGH) flush();
    else if (!isAwaited) {
      isAwaited = true;
      // Runs as soon as the lists wait for something, so after many of the cheap ones.
      setImmediate(flush);
    }
  };

  return {
    push: (line) => gather(`${line}\n`),
    pushPart: gather,
    flush,
    get isFull() {
      return socket.writableNeedDrain && !socket.destroyed;
    },
    taken: (patienceMs) => happens(socket, 'drain', patienceMs),
    async end(patienceMs) {
      flush();
      if (socket.destroyed) return true;
      socket.end();
      return socket.writableFinished || happens(socket, 'finish', patienceMs);
    },
  };
};

/** False where neither the event nor the end of the connection comes in time. */
const happens = (socket: Socket, event: 'drain' | 'finish', patienceMs: number): Promise<boolean> =>
  new Promise((resolve) => {
    const settle = (came: boolean) => {
      clearTimeout(patience);
      socket.off(event, yes).off('close', yes);
      resolve(came);
    };
    const yes = () => settle(true);
    const patience = setTimeout(() => settle(false), patienceMs);
    socket.on(event, yes).on('close', yes);
  });
