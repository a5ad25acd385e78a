import { connect, type Socket } from 'node:net';
import { type AclRules, ActionACL } from '../../src/access/acl.ts';
import { OWNER } from '../../src/access/caller.ts';
import { type Credential, createGate } from '../../src/access/gate.ts';
import { DEFAULT_LIMITS, type Limits } from '../../src/servers/limits.ts';
import type { OpenDoor } from '../../src/servers/open-door.ts';
import { openTcpServer, type TcpServerOptions } from '../../src/servers/tcp/tcp-server.ts';
import { createTurnstile, type Turnstile } from '../../src/servers/turnstile.ts';
import { openHouse, openOn, type TestHouse, type TestHouseOptions } from './house.ts';

/** A house with its TCP door open on a free port. */
export interface TcpHouse extends AsyncDisposable {
  readonly house: TestHouse;
  readonly door: OpenDoor;
  readonly turnstile: Turnstile;
}

export interface TcpHouseOptions extends TestHouseOptions, Partial<Omit<TcpServerOptions, 'doorway'>> {
  readonly secret?: string;
  readonly acl?: AclRules;
  /** Further callers. */
  readonly credentials?: readonly Credential[];
  readonly limits?: Partial<Limits>;
}

/** Opens a house with a TCP door: `await using tcp = await openTcpHouse();`. */
export const openTcpHouse = async (options: TcpHouseOptions = {}): Promise<TcpHouse> => {
  const {
    secret,
    acl,
    credentials = [],
    limits: given = {},
    host = '127.0.0.1',
    port = 0,
    allowNonLoopback = false,
    demandSecret = false,
    ...rest
  } = options;
  const house = openHouse(rest);
  const { gateway, masker, log } = house.factotum;
  const limits: Limits = { ...DEFAULT_LIMITS, ...given };
  const caller = { ...OWNER, remote: true, ...(acl && { acl: new ActionACL(acl) }) };
  const turnstile = createTurnstile(limits);
  const gate = createGate({
    credentials: [...(secret === undefined ? [] : [{ secret, caller }]), ...credentials],
    stranger: caller,
    wrongPerMinute: limits.wrongSecretsPerMinute,
  });
  const doorway = { gateway, masker, log, gate, turnstile, limits };
  const door = await openOn(house, () => openTcpServer({ doorway, host, port, allowNonLoopback, demandSecret }));
  return {
    house,
    door,
    turnstile,
    async [Symbol.asyncDispose]() {
      await door.close();
      await house[Symbol.asyncDispose]();
    },
  };
};

/** A client that speaks in lines. */
export interface LineClient extends Disposable {
  readonly socket: Socket;
  /** The next line as JSON; undefined once the server has ended the connection. */
  next(): Promise<unknown>;
  /** Every line until the server ends the connection. */
  rest(): Promise<unknown[]>;
}

/** Connects to a door. */
export const connectTo = (port: number): LineClient => {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const lines = readLines(socket);
  const next = async (): Promise<unknown> => {
    const { done, value } = await lines.next();
    return done === true ? undefined : JSON.parse(value);
  };
  return {
    socket,
    next,
    async rest() {
      const met: unknown[] = [];
      for (let line = await next(); line !== undefined; line = await next()) met.push(line);
      return met;
    },
    [Symbol.dispose]: () => socket.destroy(),
  };
};

async function* readLines(socket: Socket): AsyncGenerator<string, undefined> {
  let text = '';
  socket.setEncoding('utf8');
  try {
    for await (const chunk of socket) {
      const whole = (text + chunk).split('\n');
      text = whole.pop() ?? '';
      yield* whole;
    }
  } catch (fault) {
    if (!(fault instanceof Error && 'code' in fault && fault.code === 'ECONNRESET')) throw fault;
  }
  return undefined;
}
