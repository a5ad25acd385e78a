import { createServer, type Socket } from 'node:net';
import { judgeBind } from '../../access/bind.ts';
import type { Doorway, OpenDoor } from '../door.ts';
import { listen } from '../listen.ts';
import { type Connection, serveConnection } from './connection.ts';

export interface TcpServerOptions {
  readonly doorway: Doorway;
  readonly host: string;
  readonly port: number;
  readonly allowNonLoopback?: boolean;
  /** Whether another address than loopback needs a secret (see `judgeBind`). */
  readonly demandSecret?: boolean;
}

/** Opens the TCP door: lists in, one line of answer for each. */
export const openTcpServer = async (options: TcpServerOptions): Promise<OpenDoor> => {
  const { doorway, host, port, allowNonLoopback = false, demandSecret = false } = options;
  const { gate, limits, log } = doorway;
  const warning = judgeBind({ host, allowNonLoopback, locked: gate.locked, demandSecret, encrypted: false });
  if (warning !== undefined) log('warn', warning);

  const connections = new Map<Connection, Socket>();
  const serve = (socket: Socket) => {
    if (connections.size >= limits.tcpConnections && !makeRoom(connections)) {
      socket.destroy();
      return;
    }
    const connection = serveConnection(socket, doorway);
    connections.set(connection, socket);
    socket.once('close', () => connections.delete(connection));
  };
  // Half open: a client that has sent everything may end its side and still gets its answers.
  const server = createServer({ allowHalfOpen: true }, serve);
  const address = await listen(server, { host, port });
  server.on('error', (fault) => log('error', 'the TCP server has a fault', { error: fault.message }));

  const close = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const connection of connections.keys()) connection.stop();
    await closed;
  };
  const shown = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return { url: `tcp://${shown}:${address.port}`, host: address.address, port: address.port, close, [Symbol.asyncDispose]: close };
};

/** A client that has just come or just got an answer is about to send a list. */
const ABOUT_TO_SEND_MS = 5_000;

/** Closes the connection that has been idle for longest, so that nobody keeps others out by doing nothing; false where all are in use. */
const makeRoom = (connections: Map<Connection, Socket>): boolean => {
  const idle = [...connections.keys()].filter(({ idleMs }) => idleMs > ABOUT_TO_SEND_MS);
  const strangers = idle.filter(({ isAdmitted }) => !isAdmitted);
  const [longest] = (strangers.length > 0 ? strangers : idle).sort((one, other) => other.idleMs - one.idleMs);
  if (longest === undefined) return false;
  connections.get(longest)?.destroy();
  return connections.delete(longest);
};
