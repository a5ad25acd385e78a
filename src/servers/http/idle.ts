import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Closes connections on which nobody has asked for anything in a while. */
export interface IdleConnections {
  /** A request came on a connection. */
  asked(socket: Socket, response: Pick<ServerResponse, 'writableFinished' | 'destroyed'>): void;
  /** A connection is no longer one of requests. */
  forget(socket: Socket): void;
  close(): void;
}

const LOOK_EVERY_S = 1;

interface Use {
  /** The newest: those before it are sent before it. */
  response: Parameters<IdleConnections['asked']>[1];
  bytesRead: number;
  quietS: number;
}

/** One clock for all: Node would set and clear a timer with each request, which takes a twentieth of the time of a short list. */
export const createIdleConnections = (maxIdleS: number): IdleConnections => {
  const uses = new Map<Socket, Use>();
  let clock: NodeJS.Timeout | undefined;
  const look = () => {
    for (const [socket, use] of uses) {
      const { response, bytesRead } = use;
      const isQuiet = (response.writableFinished || response.destroyed) && socket.bytesRead === bytesRead;
      use.bytesRead = socket.bytesRead;
      use.quietS = isQuiet ? use.quietS + LOOK_EVERY_S : 0;
      if (use.quietS > maxIdleS) socket.destroy();
    }
    if (uses.size === 0) stop();
  };
  const stop = () => {
    clearInterval(clock);
    clock = undefined;
  };
  const forget = (socket: Socket) => void uses.delete(socket);
  return {
    asked(socket, response) {
      const use = uses.get(socket);
      if (use !== undefined) {
        use.response = response;
        return;
      }
      uses.set(socket, { response, bytesRead: socket.bytesRead, quietS: 0 });
      socket.once('close', () => forget(socket));
      clock ??= setInterval(look, LOOK_EVERY_S * 1000).unref();
    },
    forget,
    close: stop,
  };
};
