import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OWNER } from '../../access/caller.ts';
import type { Masker } from '../../access/mask.ts';
import { BindRefusedException, FileAutomationException } from '../../core/errors.ts';
import type { Log } from '../../core/ports.ts';
import { readJson } from '../../lib/json/read.ts';
import type { Gateway } from '../../pipeline/gateway.ts';
import { type Problem, problem, problemOf } from './problem.ts';

export interface ListenerOptions {
  readonly gateway: Gateway;
  readonly masker: Masker;
  readonly log: Log;
  readonly port: number;
  readonly host?: string;
}

/** A listener that is up. */
export interface Listener extends AsyncDisposable {
  readonly url: string;
  close(): Promise<void>;
}

const MAX_BODY_BYTES = 8 * 1024 * 1024;
const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);

/** Serves `POST /actions` and `GET /healthz` on loopback for the user of this machine: lists in, results out. */
export const listen = async ({ gateway, masker, log, port, host = '127.0.0.1' }: ListenerOptions): Promise<Listener> => {
  if (!LOOPBACK.has(host)) {
    throw new BindRefusedException(`${host} can be reached from other machines; this listener serves loopback only.`, {
      context: { host },
    });
  }
  const server = createServer({ headersTimeout: 30_000, requestTimeout: 300_000 }, (request, response) => {
    answer(request).then(
      ({ status, body }) => send(response, status, body),
      (fault: unknown) => {
        log('error', 'a request failed in a way it should not', { stack: fault instanceof Error ? (fault.stack ?? '') : String(fault) });
        send(response, 500, problem(500, 'internal', 'The log has the details.'));
      },
    );
  });
  // Without this Node drops fields beyond a thousand, and with them the ones that give a browser away.
  server.maxHeadersCount = 0;

  const answer = async (request: IncomingMessage): Promise<Answer> => {
    const stranger = judgeOrigin(request, ownHosts(server.address() as AddressInfo));
    if (stranger !== undefined) return stranger;
    const [path] = (request.url ?? '').split('?');
    if (path === '/healthz') return { status: 200, body: { status: 'ok' } };
    if (path !== '/actions') return refuse(404, 'not-found', `There is no ${path}; send lists to POST /actions.`);
    if (request.method !== 'POST') return refuse(405, 'method-not-allowed', 'Send lists with POST.');
    return runBody(request);
  };

  const runBody = async (request: IncomingMessage): Promise<Answer> => {
    const bytes = await readBody(request);
    if (bytes === undefined) return refuse(413, 'body-too-large', `A list may have ${MAX_BODY_BYTES} bytes; send it in parts.`);
    try {
      const result = await gateway.run(readJson(bytes), { caller: { ...OWNER, remote: true } });
      return { status: 200, body: masker.known(result) };
    } catch (fault) {
      if (!(fault instanceof FileAutomationException)) throw fault;
      const refused = problemOf(fault);
      return { status: refused.status, body: masker.known(refused) };
    }
  };

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const close = async () => {
    server.closeIdleConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://${hostAndPort(server.address() as AddressInfo)}`, close, [Symbol.asyncDispose]: close };
};

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

const refuse = (status: number, kind: string, detail: string): { status: number; body: Problem } => ({
  status,
  body: problem(status, kind, detail),
});

/** A server that listens on a port has an address with one. */
const hostAndPort = ({ address, family, port }: AddressInfo): string => `${family === 'IPv6' ? `[${address}]` : address}:${port}`;

const ownHosts = (address: AddressInfo): ReadonlySet<string> =>
  new Set([hostAndPort(address), `localhost:${address.port}`, `127.0.0.1:${address.port}`, `[::1]:${address.port}`]);

/** Loopback is not a wall: a page in the user's browser reaches it too. Decided before a byte of the body is read. */
const judgeOrigin = ({ headers, rawHeaders }: IncomingMessage, own: ReadonlySet<string>): Answer | undefined => {
  const host = headers.host?.toLowerCase() ?? '';
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length;
  const site = headers['sec-fetch-site'];
  const isOwn =
    hosts === 1 &&
    own.has(host) &&
    (headers.origin === undefined || headers.origin === `http://${host}`) &&
    site !== 'cross-site' &&
    site !== 'same-site';
  if (!isOwn) return refuse(403, 'foreign-origin', 'This request comes from another site or names another host.');
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type !== undefined && type !== 'application/json') return refuse(415, 'content-type', 'Send Content-Type: application/json.');
  return undefined;
};

const readBody = async (request: IncomingMessage): Promise<Buffer | undefined> => {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  return length > MAX_BODY_BYTES ? undefined : Buffer.concat(chunks);
};

const send = (response: ServerResponse, status: number, body: unknown) => {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'Content-Type': status >= 400 ? 'application/problem+json' : 'application/json',
    'Content-Length': Buffer.byteLength(text),
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
  });
  response.end(text);
};
