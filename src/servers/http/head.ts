import { judgeBrowser, type OwnNames } from '../../access/browser-guard.ts';
import type { Caller } from '../../access/caller.ts';
import type { Gate } from '../../access/gate.ts';
import type { Limits } from '../limits.ts';
import type { Fields } from './fields.ts';
import { Refused } from './refuse.ts';
import type { HttpRequest } from './request.ts';
import type { Found, Route } from './route.ts';
import { tokenOfProtocols } from './subprotocol.ts';

/** What a door needs to judge the head of a request. */
export interface HeadRules {
  readonly own: OwnNames;
  readonly gate: Gate;
  readonly limits: Limits;
  readonly find: (path: string) => Found | undefined;
}

/** A head that passed. */
export interface Passed {
  readonly route: Route;
  readonly caller: Caller;
  readonly params: readonly string[];
  readonly query: string;
}

/**
 * Every check that comes before the body, in their order: size and form of the head, who the request names and where it comes from,
 * path, method, secret, media type, length. Throws `Refused`.
 */
export const judgeHead = (request: HttpRequest, { own, gate, limits, find }: HeadRules): Passed => {
  const { url = '', method = '', fields, rawHeaders } = request;
  if (rawHeaders.length / 2 > limits.headerFields) {
    throw new Refused(431, 'too-many-headers', `A request may have ${limits.headerFields} header fields.`);
  }
  if (!url.startsWith('/') && method !== 'CONNECT') {
    throw new Refused(400, 'bad-target', 'The target of a request is a path; this server is no proxy.');
  }
  const stranger = judgeBrowser(fields, own);
  if (stranger !== undefined) throw new Refused(stranger.status, stranger.kind, stranger.detail);
  if (method === 'CONNECT') throw new Refused(405, 'method-not-allowed', 'This server is no proxy.', { Allow: 'GET, POST, OPTIONS' });
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  const found = find(path);
  if (found === undefined) throw new Refused(404, 'not-found', 'Nothing is here; GET /openapi.json lists what there is.');
  if (isPreflight(request, own)) return { route: PREFLIGHT, caller: NOBODY, params: [], query: '' };
  const route = found.methods.get(method);
  if (route === undefined) {
    const allowed = [...found.methods.keys()].join(', ');
    throw new Refused(405, 'method-not-allowed', `This path takes ${allowed}.`, { Allow: allowed });
  }
  const caller = route.open === true ? guestOf(request, route, gate) : identify(request, route, gate);
  if (route.takesJson === true) judgeMedia(fields);
  const length = Number(fields.contentLength ?? 0);
  if (length > limits.bodyBytes) throw tooLarge(limits.bodyBytes);
  return { route, caller, params: found.params, query: mark < 0 ? '' : url.slice(mark + 1) };
};

export const tooLarge = (most: number) => new Refused(413, 'body-too-large', `A body may have ${most} bytes; send the list in parts.`);

/** Who calls an open route does not matter. */
const NOBODY: Caller = { name: 'anonymous', remote: true };

/** A browser asks before it calls from another site, and sends no secret with that question. */
const isPreflight = (request: HttpRequest, { origins }: OwnNames): boolean =>
  request.method === 'OPTIONS' &&
  request.headers['access-control-request-method'] !== undefined &&
  origins.has(request.fields.origin ?? '');

const PREFLIGHT: Route = {
  method: 'OPTIONS',
  path: '*',
  handle: () => ({
    status: 204,
    headers: {
      'Access-Control-Allow-Methods': 'GET, POST, OPTIONS',
      'Access-Control-Allow-Headers': 'Authorization, Content-Type, Idempotency-Key, Last-Event-ID, X-Request-Id, X-Cancel-On-Disconnect',
      'Access-Control-Max-Age': '600',
    },
  }),
};

/** Who shows a secret at a route that needs none; one that is wrong is as good as none. */
const guestOf = ({ fields, socket }: HttpRequest, { asksWho }: Route, gate: Gate): Caller => {
  if (asksWho !== true) return NOBODY;
  const presented = bearerOf(fields.authorization);
  if (presented === undefined && gate.locked) return NOBODY;
  const admission = gate.identify(presented, gate.locked ? (socket.remoteAddress ?? '') : '');
  return 'caller' in admission ? admission.caller : NOBODY;
};

const identify = (request: HttpRequest, route: Route, gate: Gate): Caller => {
  const { fields, socket } = request;
  const presented = bearerOf(fields.authorization) ?? (route.upgrade && tokenOfProtocols(request.headers['sec-websocket-protocol']));
  // Addresses count only where secrets can be wrong, and asking for one is a call of the system.
  const admission = gate.identify(presented, gate.locked ? (socket.remoteAddress ?? '') : '');
  if ('caller' in admission) return admission.caller;
  switch (admission.refused) {
    case 'missing':
      throw new Refused(401, 'authentication', 'This server asks for a secret; send Authorization: Bearer <secret>.', CHALLENGE);
    case 'wrong':
      throw new Refused(401, 'authentication', 'The secret is not known here.', CHALLENGE);
    case 'too-many':
      throw new Refused(429, 'too-many-wrong-secrets', 'Too many wrong secrets came from this address; wait before the next try.', {
        'Retry-After': String(admission.retryAfterS),
      });
  }
};

const CHALLENGE = { 'WWW-Authenticate': 'Bearer' };

/** Exactly one space; anything else is no bearer token. A header without one is as good as none. */
const bearerOf = (header: string | undefined): string | undefined => {
  if (header === undefined) return undefined;
  return /^bearer ([\x21-\x7e]+)$/i.exec(header)?.[1] ?? '';
};

const judgeMedia = ({ contentType, contentEncoding }: Fields): void => {
  if (contentType !== undefined && !isJson(contentType)) {
    throw new Refused(415, 'content-type', 'Lists are JSON; send Content-Type: application/json.');
  }
  if (contentEncoding !== undefined && contentEncoding.toLowerCase() !== 'identity') {
    throw new Refused(415, 'content-encoding', 'Compressed bodies are not taken; send the list without Content-Encoding.');
  }
};

const isJson = (type: string): boolean =>
  type === 'application/json' || /^application\/json[ \t]*(?:;[ \t]*charset="?utf-8"?[ \t]*)?$/i.test(type.trim());
