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

  const connections = new Set<Connection>();
  const serve = (socket: Socket) => {
    const connection = serveConnection(socket, doorway);
    connections.add(connection);
    socket.once('close', () => connections.delete(connection));
  };
  // Half open: a client that has sent everything may end its side and still gets its answers.
  const server = createServer({ allowHalfOpen: true }, serve);
  server.maxConnections = limits.tcpConnections;
  const address = await listen(server, { host, port });
  server.on('error', (fault) => log('error', 'the TCP server has a fault', { error: fault.message }));

  const close = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const connection of connections) connection.stop();
    await closed;
  };
  const shown = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return { url: `tcp://${shown}:${address.port}`, host: address.address, port: address.port, close, [Symbol.asyncDispose]: close };
};
