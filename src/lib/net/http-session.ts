import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { DownloadException } from '../../core/errors.ts';
import { type ConnectOptions, secure } from './connect.ts';
import { type AddressRules, bareHost, portOf } from './judge-url.ts';
import type { Network } from './network.ts';

export interface HttpSessionOptions {
  /** Scheme, host and port; a session speaks with no other machine. */
  readonly origin: URL;
  readonly network: Pick<Network, 'connect'>;
  readonly rules: AddressRules;
  /** Certificates of authorities to trust instead of those of the system, as PEM. */
  readonly ca?: string | undefined;
  /** False only where the owner of a connection has said so. */
  readonly verifyTls?: boolean;
  readonly connectMs?: number;
  /** How long the server may take for the first line of an answer; left out, as long as it may be silent. */
  readonly firstByteMs?: number;
  /** How long the server may be silent. */
  readonly idleMs?: number;
  readonly maxConnections?: number;
}

export interface SessionRequest {
  readonly method: string;
  /** Path and query, encoded: sent as they stand. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | RequestBody;
  readonly signal: AbortSignal;
}

/** A body that is sent while it is made. A chunk is good until the next one is asked for. */
export interface RequestBody {
  /** Left out where nobody knows: then it is sent in chunks of HTTP's own. */
  readonly bytes?: number | undefined;
  readonly chunks: AsyncIterable<Uint8Array>;
}

export interface SessionAnswer {
  readonly status: number;
  /** Names in lower case; of repeated fields all values, joined by a comma. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** A chunk is good until the next one is asked for. A body that is not read to its end costs the connection. */
  readonly body: AsyncIterable<Uint8Array>;
  /** The whole body; a longer one than `maxBytes` is refused. */
  bytes(maxBytes: number): Promise<Buffer>;
}

/** Requests to one machine over connections that are kept. It follows no redirect, decodes nothing and adds no header but `host`. */
export interface HttpSession extends AsyncDisposable {
  send(request: SessionRequest): Promise<SessionAnswer>;
}

export const openHttpSession = ({
  origin,
  network,
  rules,
  ca,
  verifyTls = true,
  connectMs = 15_000,
  idleMs = 30_000,
  firstByteMs = idleMs,
  maxConnections = 16,
}: HttpSessionOptions): HttpSession => {
  let agent: Promise<Dispatcher> | undefined;
  const isSecure = origin.protocol === 'https:';
  const host = bareHost(origin.hostname);
  const port = portOf(origin);
  const connecting: ConnectOptions = { timeoutMs: connectMs };

  const connect = async () => {
    const socket = await network.connect(host, port, { ...connecting, rules });
    return isSecure ? secure(socket, { host, ca, verify: verifyTls, ...connecting }) : socket;
  };

  const openAgent = async (): Promise<Dispatcher> => {
    const { Pool } = await import('undici');
    return new Pool(origin.origin, {
      connect: (_options, done) =>
        void connect().then(
          (socket) => done(null, socket),
          (fault: Error) => done(fault, null),
        ),
      connections: maxConnections,
      headersTimeout: firstByteMs,
      bodyTimeout: idleMs,
      maxHeaderSize: 16_384,
      pipelining: 1,
    });
  };

  return {
    async send({ method, path, headers = {}, body, signal }) {
      agent ??= openAgent();
      const sent = bodyOf(body);
      const {
        statusCode,
        headers: answered,
        body: received,
      } = await (await agent).request({
        method: method as Dispatcher.HttpMethod, // any method is sent as it stands; the type knows the usual ones
        path,
        headers: { ...headers, ...sent.headers },
        body: sent.body,
        signal,
      });
      return {
        status: statusCode,
        headers: joined(answered),
        body: droppable(received),
        async bytes(maxBytes) {
          const all: Uint8Array[] = [];
          let total = 0;
          for await (const chunk of received) {
            total += chunk.byteLength;
            if (total > maxBytes)
              throw new DownloadException(`The answer of ${host} is larger than ${maxBytes} bytes.`, { context: { host } });
            all.push(chunk);
          }
          return Buffer.concat(all);
        },
      };
    },
    async [Symbol.asyncDispose]() {
      await (await agent)?.destroy();
    },
  };
};

/** A body that is given up before it was read costs the connection too. */
const droppable = (body: Readable): AsyncIterable<Uint8Array> => ({
  [Symbol.asyncIterator]() {
    const chunks: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]();
    return {
      next: () => chunks.next(),
      async return() {
        body.on('error', () => {}).destroy(); // that it ends early is what was wanted
        return { done: true, value: undefined };
      },
    };
  },
});

const bodyOf = (body: SessionRequest['body']): { readonly body: Buffer | Readable | null; readonly headers: Record<string, string> } => {
  if (body === undefined) return { body: null, headers: {} };
  if (body instanceof Uint8Array) return { body: Buffer.from(body.buffer, body.byteOffset, body.byteLength), headers: {} };
  return {
    body: Readable.from(copied(body.chunks), { objectMode: false, highWaterMark: 1024 * 1024 }),
    headers: body.bytes === undefined ? {} : { 'content-length': String(body.bytes) },
  };
};

/** Streams keep chunks beyond the moment that they are good for. */
async function* copied(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) yield Buffer.from(chunk);
}

const joined = (headers: Readonly<Record<string, string | readonly string[] | undefined>>): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : value?.join(', ')]));
