import { connect as connectTcp, isIP, type LookupFunction, type OnReadOpts, type Socket } from 'node:net';
import { checkServerIdentity, connect as connectTls, type TLSSocket, type ConnectionOptions as TlsConnectOptions } from 'node:tls';
import { TimeoutException } from '../../core/errors.ts';
import { plainAddress } from './address-class.ts';
import { refused } from './refusal.ts';

/** A machine to connect to: its name, for certificates and headers, and the judged addresses, for the connection. */
export interface Target {
  readonly host: string;
  readonly port: number;
  readonly addresses: readonly string[];
}

/** How long to wait, and what ends the wait. */
export interface ConnectOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface DialOptions extends ConnectOptions {
  /** Where what comes in is put, for those who take much of it: no `data` events then. */
  readonly onread?: OnReadOpts | undefined;
  /** Put TLS on the connection at once: memory for what comes can be given only then. */
  readonly tls?: TlsOptions | undefined;
}

/** Opens a connection to one of the addresses of a target. */
export type Dial = (target: Target, options: DialOptions) => Promise<Socket>;

/** Connects over TCP to a judged address and to no other; tries all of them. */
export const dial: Dial = async (target, { onread, tls, ...options }) => {
  if (tls !== undefined && onread === undefined) return secure(await dial(target, options), { ...tls, ...options });
  const { host, port, addresses } = target;
  const answers = addresses.map((address) => ({ address, family: isIP(address) }));
  // The name is not looked up a second time: a second answer could be another one.
  const lookup: LookupFunction = (_name, { all }, done) =>
    all === true ? done(null, answers) : done(null, answers[0]?.address ?? '', answers[0]?.family);
  const connecting = { host, port, lookup, autoSelectFamily: true, noDelay: true, keepAlive: true, ...(onread && { onread }) };
  const socket = tls === undefined ? connectTcp(connecting) : connectTls({ ...connecting, ...tlsOptionsOf(tls) });
  await opened(socket, tls === undefined ? 'connect' : 'secureConnect', host, options);
  const reached = plainAddress(socket.remoteAddress ?? '');
  if (!addresses.some((address) => plainAddress(address) === reached)) {
    socket.destroy();
    throw refused('address', host, { host });
  }
  return socket;
};

export interface TlsOptions {
  /** Whose certificate it must be, whatever address is connected to. */
  readonly host: string;
  /** Stands for the authorities of the system. */
  readonly ca?: string | undefined;
  /** False only where the owner of a connection has said so. */
  readonly verify?: boolean;
  /** The protocols that are offered inside; none where the protocol has no name. */
  readonly alpn?: readonly string[];
  /** A session of another connection to the same server, to go on with. */
  readonly session?: Buffer | undefined;
}

export type SecureOptions = ConnectOptions & TlsOptions;

/** Puts TLS on an open connection; the certificate must be for the host. */
export const secure = async (plain: Socket, { timeoutMs, signal, ...tls }: SecureOptions): Promise<TLSSocket> => {
  const socket = connectTls({ socket: plain, host: tls.host, ...tlsOptionsOf(tls) });
  await opened(socket, 'secureConnect', tls.host, { timeoutMs, signal });
  return socket;
};

const tlsOptionsOf = ({ host, ca, verify = true, alpn = ['http/1.1'], session }: TlsOptions): TlsConnectOptions => ({
  ...(isIP(host) === 0 && { servername: host }),
  ...(ca !== undefined && { ca }),
  checkServerIdentity: (_reached, certificate) => checkServerIdentity(host, certificate),
  ...(alpn.length > 0 && { ALPNProtocols: [...alpn] }),
  ...(session !== undefined && { session }),
  minVersion: 'TLSv1.2',
  rejectUnauthorized: verify, // whatever the environment says
});

/** Waits for the event; whatever comes first instead ends the socket. */
const opened = (socket: Socket, event: 'connect' | 'secureConnect', host: string, { timeoutMs, signal }: ConnectOptions): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => fail(slow(host, timeoutMs)), timeoutMs);
    const stop = () => fail(signal?.reason);
    const closed = () => fail(new Error('The connection was closed.'));
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      socket.off('error', fail);
      socket.off('close', closed);
      socket.off(event, succeed);
    };
    const fail = (fault: unknown) => {
      settle();
      socket.on('error', () => {}); // a late error of a socket that nobody holds must not end the process
      socket.destroy();
      reject(fault);
    };
    const succeed = () => {
      settle();
      resolve();
    };
    socket.once('error', fail).once('close', closed).once(event, succeed);
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted === true) stop();
  });

const slow = (host: string, timeoutMs: number) =>
  new TimeoutException(`${host} did not accept the connection within ${timeoutMs / 1000} s.`, { context: { host } });
