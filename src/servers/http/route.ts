import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Caller } from '../../access/caller.ts';
import type { HttpRequest } from './request.ts';

/** A request that passed every check of its head. */
export interface Exchange {
  readonly request: HttpRequest;
  readonly response: ServerResponse;
  readonly caller: Caller;
  readonly requestId: string;
  /** What stands at the places in braces of the route's path, in their order. */
  readonly params: readonly string[];
  /** What follows the question mark. */
  readonly query: string;
  /** Counts the request as under way until its answer is sent; throws `Refused` where there are too many. */
  enter(): void;
  /** The body as a whole, within the limits of the door. */
  body(): Promise<Buffer>;
}

/** What goes back. `json` is masked and written as JSON; a route that answers by itself gives undefined. */
export interface Answer {
  readonly status: number;
  readonly json?: unknown;
  /** Writes the JSON, where there is a shorter way than to look what it holds. */
  readonly write?: (json: unknown) => string;
  /** Set by the door where the JSON is large: it is masked and written piece by piece. */
  readonly mask?: (value: unknown) => unknown;
  readonly text?: { readonly type: string; readonly content: string };
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the JSON is long, where that is known without looking through it. */
  readonly isLarge?: boolean;
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'OPTIONS' | 'DELETE';
  /** `/actions/{name}`: a place in braces stands for one segment. */
  readonly path: string;
  /** Answers without a secret. */
  readonly open?: boolean;
  /** Of an open route: says more to whoever shows a secret. */
  readonly asksWho?: boolean;
  /** The body is JSON; other media types are refused before a byte of it is read. */
  readonly takesJson?: boolean;
  handle(exchange: Exchange): Answer | undefined | Promise<Answer | undefined>;
  /** Takes the connection over after a WebSocket handshake; such a route answers plain requests with 426. */
  upgrade?(exchange: UpgradeExchange): void;
}

/** A connection that asks to become a WebSocket, every check passed. */
export interface UpgradeExchange {
  readonly request: HttpRequest;
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly caller: Caller;
}

/** All routes of one path. */
export interface Found {
  readonly methods: ReadonlyMap<string, Route>;
  readonly params: readonly string[];
}

/** Finds routes by the bytes of the path: nothing is decoded, resolved or folded, so that no two spellings mean the same. */
export const createRouter = (routes: readonly Route[]): ((path: string) => Found | undefined) => {
  const exact = new Map<string, Map<string, Route>>();
  const patterns = new Map<string, { readonly segments: readonly string[]; readonly methods: Map<string, Route> }>();
  for (const route of routes) methodsOf(route.path).set(route.method, route);

  function methodsOf(path: string): Map<string, Route> {
    if (path.includes('{')) {
      const known = patterns.get(path) ?? { segments: path.split('/'), methods: new Map<string, Route>() };
      patterns.set(path, known);
      return known.methods;
    }
    const known = exact.get(path) ?? new Map<string, Route>();
    exact.set(path, known);
    return known;
  }

  return (path) => {
    const methods = exact.get(path);
    if (methods !== undefined) return { methods, params: [] };
    const segments = path.split('/');
    for (const pattern of patterns.values()) {
      const params = match(pattern.segments, segments);
      if (params !== undefined) return { methods: pattern.methods, params };
    }
    return undefined;
  };
};

/** Names and ids of the house have no other characters, so nothing needs decoding. */
const SEGMENT = /^[A-Za-z0-9_.-]{1,128}$/;

const match = (pattern: readonly string[], segments: readonly string[]): string[] | undefined => {
  if (pattern.length !== segments.length) return undefined;
  const params: string[] = [];
  for (const [at, expected] of pattern.entries()) {
    const found = segments[at] ?? '';
    if (!expected.startsWith('{')) {
      if (expected !== found) return undefined;
    } else if (SEGMENT.test(found)) params.push(found);
    else return undefined;
  }
  return params;
};
