import { createServer, type Socket } from 'node:net';
import { judgeBind } from '../../access/bind.ts';
import type { Caller } from '../../access/caller.ts';
import { SHARES } from '../../core/caller-limits.ts';
import { OWNER_NAME } from '../../core/reach.ts';
import type { Doorway } from '../door.ts';
import { listen } from '../listen.ts';
import type { OpenDoor } from '../open-door.ts';
import { OWNERS_PART } from '../turnstile.ts';
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
    const connection = serveConnection(socket, doorway, settle);
    connections.set(connection, socket);
    socket.once('close', () => connections.delete(connection));
  };
  /** A caller with limits has as many connections as lists under way, and all those together leave some for the owner. */
  const settle = (caller: Caller): boolean => {
    if (caller.name === OWNER_NAME) return true;
    const limited = [...connections.keys()].filter((each) => each.caller !== undefined && each.caller.name !== OWNER_NAME);
    const own = limited.filter((each) => each.caller?.name === caller.name);
    const most = Math.min(caller.policy?.maxInFlight ?? SHARES.maxInFlight.usual, limits.tcpConnections);
    if (own.length >= most) return closeIdlest(connections, own);
    const places = limits.tcpConnections - Math.floor(limits.tcpConnections / OWNERS_PART);
    return limited.length < places || closeIdlest(connections, limited);
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

/** A client that has just got an answer is about to send a list. */
const ABOUT_TO_SEND_MS = 5_000;

/**
 * Makes room for one more, so that nobody keeps others out by doing nothing; false where all are in use. Whoever has not shown a secret
 * has to go at once, the longest there first: a client that has one sends it with its first bytes.
 */
const makeRoom = (connections: Map<Connection, Socket>): boolean => {
  const all = [...connections.keys()];
  const stranger = all.find(({ caller }) => caller === undefined); // in the order of their coming
  return stranger === undefined ? closeIdlest(connections, all) : close(connections, stranger);
};

const closeIdlest = (connections: Map<Connection, Socket>, among: readonly Connection[]): boolean => {
  const [longest] = among.filter(({ idleMs }) => idleMs > ABOUT_TO_SEND_MS).sort((one, other) => other.idleMs - one.idleMs);
  return longest !== undefined && close(connections, longest);
};

const close = (connections: Map<Connection, Socket>, connection: Connection): boolean => {
  connections.get(connection)?.destroy();
  return connections.delete(connection);
};
