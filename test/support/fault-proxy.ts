import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * What can go wrong on the way: `cut` ends both sides in order, `reset` breaks them off, `stall` passes nothing more, `slow` passes the next
 * bytes one by one, `half-close` ends this direction and goes on with the other.
 */
export type FaultKind = 'cut' | 'reset' | 'stall' | 'slow' | 'half-close';
export type Direction = 'to-server' | 'to-client';

/** A fault that strikes once: behind so many bytes of a direction, counted over all connections from the moment that it was armed. */
export interface LineFault {
  readonly kind: FaultKind;
  readonly direction: Direction;
  readonly atByte: number;
}

/** A TCP server that passes everything on to another one, until a fault strikes. */
export interface FaultProxy extends AsyncDisposable {
  readonly port: number;
  /** The next fault; undefined for none. */
  arm(fault: LineFault | undefined): void;
  /** Whether the fault that was armed last has struck. */
  readonly hasStruck: boolean;
  /** Bytes that have passed since a fault was last armed. */
  passed(direction: Direction): number;
  /** Connections that were opened so far. */
  readonly connections: number;
  /** Breaks off everything that is open. */
  resetAll(): void;
}

const KINDS: readonly FaultKind[] = ['cut', 'reset', 'stall', 'slow', 'half-close'];
/** So many bytes come one by one before a slow line is an ordinary one again. */
const SLOW_BYTES = 64;

/** One fault of a seeded sequence, somewhere in the first bytes of either direction. */
export const randomFault = (random: () => number, maxBytes: Readonly<Record<Direction, number>>): LineFault => {
  const direction: Direction = random() < 0.5 ? 'to-server' : 'to-client';
  return {
    kind: KINDS[Math.floor(random() * KINDS.length)] ?? 'cut',
    direction,
    atByte: Math.floor(random() * maxBytes[direction]),
  };
};

/** Opens a proxy on a free port of this machine: `await using proxy = await openFaultProxy(peer.port);`. A function says it anew for each connection. */
export const openFaultProxy = async (targetPort: number | (() => number)): Promise<FaultProxy> => {
  const sockets = new Set<Socket>();
  const passed: Record<Direction, number> = { 'to-server': 0, 'to-client': 0 };
  let armed: LineFault | undefined;
  let hasStruck = false;
  let connections = 0;

  const hold = (socket: Socket): void => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => {}).once('close', () => sockets.delete(socket));
  };

  const strike = (kind: FaultKind, from: Socket, to: Socket, rest: Buffer): void => {
    hasStruck = true;
    if (kind === 'cut') for (const socket of [from, to]) socket.destroy();
    else if (kind === 'reset') for (const socket of [to, from]) socket.resetAndDestroy();
    else if (kind === 'slow') trickle(from, to, rest);
    else {
      // What comes behind it is taken and forgotten, so that the sender notices nothing.
      from.removeAllListeners('data').removeAllListeners('end').resume();
      if (kind === 'half-close') to.end();
    }
  };

  const carry = (from: Socket, to: Socket, direction: Direction): void => {
    from.on('data', (chunk: Buffer) => {
      const fault = armed?.direction === direction && !hasStruck ? armed : undefined;
      const before = fault === undefined ? chunk.length : Math.min(chunk.length, Math.max(0, fault.atByte - passed[direction]));
      const isHit = fault !== undefined && before < chunk.length;
      passed[direction] += chunk.length;
      if (before > 0 && !to.write(chunk.subarray(0, before))) {
        from.pause();
        to.once('drain', () => from.resume());
      }
      if (isHit) strike(fault.kind, from, to, chunk.subarray(before));
    });
    from.on('end', () => to.end());
    from.on('close', () => to.destroy());
  };

  const server = createServer({ allowHalfOpen: true }, (client) => {
    connections += 1;
    const upstream = connect({ port: typeof targetPort === 'number' ? targetPort : targetPort(), host: '127.0.0.1', allowHalfOpen: true });
    hold(client);
    hold(upstream);
    carry(client, upstream, 'to-server');
    carry(upstream, client, 'to-client');
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));

  return {
    port: (server.address() as AddressInfo).port, // it listens on TCP
    arm(fault) {
      armed = fault;
      hasStruck = false;
      passed['to-server'] = 0;
      passed['to-client'] = 0;
    },
    get hasStruck() {
      return hasStruck;
    },
    passed: (direction) => passed[direction],
    get connections() {
      return connections;
    },
    resetAll() {
      for (const socket of sockets) socket.resetAndDestroy();
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

/** Bytes one by one, each a turn of the loop later; then everything as before. */
const trickle = (from: Socket, to: Socket, rest: Buffer): void => {
  from.pause();
  let at = 0;
  const next = (): void => {
    if (to.destroyed) return;
    if (at < Math.min(rest.length, SLOW_BYTES)) {
      to.write(rest.subarray(at, at + 1));
      at += 1;
      setImmediate(next);
    } else {
      to.write(rest.subarray(at));
      from.resume();
    }
  };
  next();
};
