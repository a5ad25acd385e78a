import { createServer, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { judgeBind } from '../../access/bind.ts';
import type { OwnNames } from '../../access/browser-guard.ts';
import { FileAutomationException } from '../../core/errors.ts';
import { isLarge } from '../../core/json-pieces.ts';
import type { Doorway } from '../door.ts';
import { listen } from '../listen.ts';
import type { OpenDoor } from '../open-door.ts';
import { leaveWhenSent } from './delivery.ts';
import { type ExchangeRules, PassedExchange } from './exchange.ts';
import type { Fields } from './fields.ts';
import { createFollowers } from './followers.ts';
import { type HeadRules, judgeHead } from './head.ts';
import { createIdleConnections } from './idle.ts';
import { type Answered, type Asked, createInOrder } from './in-order.ts';
import { createOverdue } from './overdue.ts';
import { ownHosts } from './own-hosts.ts';
import { problem, problemOf } from './problem.ts';
import { Refused } from './refuse.ts';
import { HttpRequest } from './request.ts';
import { requestIdOf } from './request-id.ts';
import { type Answer, createRouter, type Route } from './route.ts';
import { KEEP_ALIVE_S, letGo, send, sendProblem, sendProblemOn } from './send.ts';
import { openCertificate, type TlsFiles } from './tls.ts';
import { judgeHandshake } from './upgrade.ts';

export interface HttpServerOptions {
  readonly doorway: Doorway;
  readonly routes: readonly Route[];
  readonly host: string;
  readonly port: number;
  readonly allowNonLoopback?: boolean;
  /** Whether another address than loopback needs a secret (see `judgeBind`). */
  readonly demandSecret?: boolean;
  /** Names of this machine beyond its addresses, for other binds than loopback. */
  readonly hosts?: readonly string[];
  /** Sites whose pages may call. */
  readonly corsOrigins?: readonly string[];
  readonly tls?: TlsFiles | undefined;
}

/** Opens the HTTP door. */
export const openHttpServer = async (options: HttpServerOptions): Promise<OpenDoor> => {
  const { doorway, routes, host, port, allowNonLoopback = false, demandSecret = false, tls } = options;
  const { gate, limits, log, masker, turnstile } = doorway;
  const warning = judgeBind({ host, allowNonLoopback, locked: gate.locked, demandSecret, encrypted: tls !== undefined });
  if (warning !== undefined) log('warn', warning);
  const certificate = tls === undefined ? undefined : await openCertificate(tls, log);
  const settings = {
    IncomingMessage: HttpRequest,
    maxHeaderSize: limits.headerBytes,
    headersTimeout: Math.ceil(limits.headersTimeoutS * 1000),
    requestTimeout: Math.ceil((limits.headersTimeoutS + limits.bodyTimeoutS) * 1000),
    // How often Node looks for requests that are late.
    connectionsCheckingInterval: Math.min(1000, Math.ceil(limits.headersTimeoutS * 500)),
    keepAliveTimeout: 0, // see createIdleConnections
  };
  const server: Server<typeof HttpRequest> =
    certificate === undefined
      ? createServer(settings)
      : createTlsServer({ ...settings, ...certificate.pair, handshakeTimeout: settings.headersTimeout });
  // Without this Node drops fields beyond a thousand, and with them the ones that give a browser away.
  server.maxHeadersCount = 0;
  certificate?.onChange((pair) => {
    if ('setSecureContext' in server && typeof server.setSecureContext === 'function') server.setSecureContext(pair);
  });

  const address = await listen(server, { host, port });
  const own: OwnNames = {
    hosts: ownHosts(address, options.hosts ?? []),
    scheme: certificate === undefined ? 'http' : 'https',
    origins: new Set(options.corsOrigins ?? []),
  };
  const overdue = createOverdue(Math.min(1000, limits.bodyIdleTimeoutS * 250));
  const idle = createIdleConnections(KEEP_ALIVE_S);
  const followers = createFollowers(gate);
  const rules: HeadRules = { own, gate, limits, find: createRouter(routes) };

  const refusalOf = (fault: unknown): Pick<Refused, 'problem' | 'headers'> => {
    if (fault instanceof Refused) return fault;
    if (fault instanceof FileAutomationException) {
      const found = masker.known(problemOf(fault)) as Refused['problem']; // masking keeps the shape
      const retryAfter = RETRY_AFTER_S.get(found.status);
      return { problem: found, headers: retryAfter === undefined ? {} : { 'Retry-After': retryAfter } };
    }
    log('error', 'a request failed in a way it should not', { stack: fault instanceof Error ? (fault.stack ?? '') : String(fault) });
    return { problem: problem(500, 'internal', 'Something went wrong inside; the log has the details.'), headers: {} };
  };

  const exchangeRules: ExchangeRules = { limits, overdue, turnstile };

  /** Answers one request. */
  const answer = async (asked: Asked, answered: Answered): Promise<void> => {
    const { request, response, proceed } = asked;
    const { fields } = request;
    const requestId = requestIdOf(fields);
    let exchange: PassedExchange | undefined;
    if (own.origins.size > 0) letRead(fields, response, own);
    try {
      const passed = judgeHead(request, rules);
      if (fields.expect !== undefined && proceed === undefined) {
        throw new Refused(417, 'expectation', 'Only Expect: 100-continue is understood.');
      }
      exchange = new PassedExchange(asked, requestId, passed, exchangeRules);
      if (request.method === 'GET') followers.add(response, exchange.caller);
      const given = await passed.route.handle(exchange);
      if (given !== undefined && !response.headersSent && !response.destroyed) send(response, masked(given), ['X-Request-Id', requestId]);
    } catch (fault) {
      if (response.headersSent || response.destroyed) response.destroy();
      else {
        const { problem: found, headers } = refusalOf(fault);
        sendProblem(response, found, ['X-Request-Id', requestId, ...Object.entries(headers).flat()]);
      }
    }
    // What is not sent is still somebody's: a caller that takes no answers gets no more of them.
    if (exchange?.isInTurn === true) leaveWhenSent(exchange, exchangeRules);
    answered(asked);
  };
  const masked = (given: Answer): Answer => {
    if (given.isLarge ?? isLarge(given.json)) return { ...given, mask: masker.known };
    const json = masker.known(given.json);
    return json === given.json ? given : { ...given, json };
  };

  const upgrade = (request: HttpRequest, socket: Duplex, head: Buffer): void => {
    idle.forget(request.socket);
    socket.on('error', () => socket.destroy());
    if (!inOrder.isFree(request.socket)) {
      // The answer that is under way would end up in the middle of another protocol.
      socket.end();
      letGo(socket);
      return;
    }
    try {
      const { route, caller } = judgeHead(request, rules);
      judgeHandshake(request, route);
      followers.add(socket, caller);
      route.upgrade?.({ request, socket, head, caller });
    } catch (fault) {
      const { problem: found, headers } = refusalOf(fault);
      sendProblemOn(socket, found, headers);
    }
  };

  const inOrder = createInOrder(answer);
  const begin = (request: HttpRequest, response: ServerResponse, proceed?: () => void): void => {
    idle.asked(request.socket, response);
    inOrder.begin({ request, response, proceed });
  };
  server.on('request', (request, response) => begin(request, response));
  server.on('checkContinue', (request, response) => begin(request, response, () => response.writeContinue()));
  server.on('checkExpectation', (request, response) => begin(request, response));
  server.on('upgrade', upgrade);
  server.on('connect', upgrade);
  server.on('clientError', (fault: NodeJS.ErrnoException, socket) => sendProblemOn(socket, brokenHead(fault)));
  server.on('error', (fault) => log('error', 'the HTTP server has a fault', { error: fault.message }));

  const close = async () => {
    overdue.close();
    idle.close();
    followers.close();
    certificate?.close();
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeIdleConnections();
    // What is still open then is a follower or a client that never finishes.
    const patience = setTimeout(() => server.closeAllConnections(), CLOSE_PATIENCE_MS);
    await closed;
    clearTimeout(patience);
  };
  const shown = `${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`;
  return { url: `${own.scheme}://${shown}`, host: address.address, port: address.port, close, [Symbol.asyncDispose]: close };
};

const CLOSE_PATIENCE_MS = 500;
/** When the same request may pass. */
const RETRY_AFTER_S: ReadonlyMap<number, string> = new Map([
  [429, '1'],
  [503, '5'],
]);

/** What pages of other sites may read of the headers. */
const READABLE = 'Location, Retry-After, X-Request-Id, X-Run-Id';

/** Lets pages of sites that were let in by name read what they get. Set before there is an answer, for some routes write theirs themselves. */
const letRead = ({ origin }: Fields, response: ServerResponse, { origins }: OwnNames): void => {
  response.setHeader('Vary', 'Origin');
  if (origin === undefined || !origins.has(origin)) return;
  response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader('Access-Control-Expose-Headers', READABLE);
};

const brokenHead = ({ code }: NodeJS.ErrnoException) => {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return problem(431, 'headers-too-large', 'The head of the request is too large.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return problem(408, 'slow-request', 'The request came too slowly.');
    default:
      return problem(400, 'bad-request', 'This is no request in HTTP/1.1.');
  }
};
