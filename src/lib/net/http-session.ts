import { setMaxListeners } from 'node:events';
import { DownloadException } from '../../core/errors.ts';
import { type HttpConnection, openConnection } from './http1/connection.ts';
import { createPool } from './http1/pool.ts';
import { writeHead } from './http1/request-head.ts';
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
  /** How long the server may take for the head of an answer; left out, as long as it may be silent. */
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

/** What can be sent a second time where a kept connection turns out to be gone: asking twice is asking once. */
const REPEATABLE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'PROPFIND', 'PUT', 'DELETE']);

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
  const host = bareHost(origin.hostname);
  const tls = origin.protocol === 'https:' ? { host, ca, verify: verifyTls } : undefined;
  const pool = createPool<HttpConnection>({
    most: maxConnections,
    open: (signal, { onFree, onClose }) =>
      openConnection((onread) => network.connect(host, portOf(origin), { rules, timeoutMs: connectMs, signal, onread, tls }), {
        firstByteMs,
        idleMs,
        onFree,
        onClose,
      }),
  });

  const send = async ({ method, path, headers = {}, body, signal }: SessionRequest): Promise<SessionAnswer> => {
    setMaxListeners(0, signal); // all requests of a run listen to one signal
    const isWhole = body === undefined || body instanceof Uint8Array;
    const length = body === undefined ? undefined : body instanceof Uint8Array ? body.byteLength : (body.bytes ?? 'chunked');
    const head = writeHead({ method, path, host: origin.host, headers, body: length });
    const sent = isWhole ? body : { bytes: body.bytes, chunks: body.chunks };
    for (;;) {
      const connection = await pool.take(signal);
      const { isUsed } = connection;
      try {
        const answer = await connection.exchange({ method, head, body: sent, signal });
        return answerOf(answer.head, answer.body, origin.host);
      } catch (fault) {
        // The server may close a kept connection at the very moment that we use it.
        const isGone = isUsed && !connection.hasBegun && isLost(fault);
        if (!isGone || !isWhole || !REPEATABLE.has(method) || signal.aborted) throw fault;
      }
    }
  };

  return { send, [Symbol.asyncDispose]: async () => pool.close() };
};

const answerOf = (
  { status, headers }: Pick<SessionAnswer, 'status' | 'headers'>,
  body: AsyncIterable<Uint8Array>,
  host: string,
): SessionAnswer => ({
  status,
  headers,
  body,
  async bytes(maxBytes) {
    const all: Buffer[] = [];
    let total = 0;
    for await (const chunk of body) {
      total += chunk.byteLength;
      if (total > maxBytes) throw new DownloadException(`The answer of ${host} is larger than ${maxBytes} bytes.`, { context: { host } });
      all.push(Buffer.from(chunk)); // a copy: the memory is used again
    }
    return all.length === 1 && all[0] !== undefined ? all[0] : Buffer.concat(all);
  },
});

const LOST: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'ENOTCONN', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END']);

const isLost = (fault: unknown): boolean => fault instanceof Error && 'code' in fault && LOST.has(fault.code);
