import { authorization, baseOf } from './address.ts';
import { HTTPActionClientException } from './exceptions.ts';
import { demandKnown, type KnownKeys } from './known-options.ts';
import { refusalOf } from './refusal.ts';
import { malformed, stopped, tooLate, unreachable } from './troubles.ts';
import { openDeadline, pause } from './waiting.ts';

/** How one call behaves. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  /** For the whole call, repetitions included; 0 waits for ever. 30 s by default. */
  readonly timeoutMs?: number;
  /** How often a call that is harmless to repeat is repeated after the connection failed. 2 by default. */
  readonly retries?: number;
  /** Ask the server to cancel the run when this client goes away; else it goes on there. */
  readonly cancelOnDisconnect?: boolean;
  /** Under one key a list is done once, however often it is sent; a server with a history keeps keys for a day. */
  readonly idempotencyKey?: string;
}

export interface WireOptions extends Omit<CallOptions, 'signal' | 'idempotencyKey'> {
  /** Of the owner or of a token. */
  readonly sharedSecret?: string | undefined;
  readonly fetch?: typeof fetch;
}

/** One request. */
export interface Sending extends CallOptions {
  readonly method: 'GET' | 'POST' | 'OPTIONS';
  readonly path: string;
  readonly body?: unknown;
  /** Asked only after the connection failed: whether the request may be sent again. */
  readonly mayRepeat: () => boolean;
  /** Statuses that are answers, beside those from 200 to 299. */
  readonly answers?: readonly number[];
}

/** Sends requests to one server. */
export interface Wire {
  readonly url: URL;
  /** What tells the server who calls. */
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON of the answer; undefined where it has none. */
  send(sending: Sending): Promise<unknown>;
  /** The answer itself, for what goes on and on; throws where it is a refusal. */
  open(path: string, init: { readonly headers: Readonly<Record<string, string>>; readonly signal: AbortSignal }): Promise<Response>;
}

const DEFAULTS_TOO = { timeoutMs: true, retries: true, cancelOnDisconnect: true } as const;
const CALL: KnownKeys<CallOptions> = { ...DEFAULTS_TOO, signal: true, idempotencyKey: true };
const WIRE: KnownKeys<WireOptions> = { ...DEFAULTS_TOO, sharedSecret: true, fetch: true };

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_RETRIES = 2;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8_000;

export const openWire = (base: string | URL, options: WireOptions): Wire => {
  demandKnown(options, WIRE, 'HTTPActionClient');
  const url = baseOf(base);
  const headers = authorization(options.sharedSecret);

  const exchange = async (address: URL, init: RequestInit, answers: readonly number[]): Promise<unknown> => {
    const response = await (options.fetch ?? fetch)(address, init);
    const text = await response.text();
    if (!response.ok && !answers.includes(response.status)) throw refusalOf(response, text, url);
    return text === '' ? undefined : parse(text, response.status, url);
  };

  const send: Wire['send'] = async ({ method, path, body, mayRepeat, answers = [], signal, ...call }) => {
    demandKnown(call, CALL, 'A call of HTTPActionClient');
    const timeoutMs = call.timeoutMs ?? options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const retries = call.retries ?? options.retries ?? DEFAULT_RETRIES;
    const cancels = call.cancelOnDisconnect ?? options.cancelOnDisconnect ?? false;
    const content = body === undefined ? undefined : JSON.stringify(body);
    const deadline = openDeadline(timeoutMs, signal);
    const init: RequestInit = {
      method,
      headers: {
        ...headers,
        ...(content !== undefined && { 'Content-Type': 'application/json' }),
        ...(cancels && { 'X-Cancel-On-Disconnect': 'true' }),
        ...(call.idempotencyKey !== undefined && { 'Idempotency-Key': call.idempotencyKey }),
      },
      ...(content !== undefined && { body: content }),
      // A secret goes to the server it was given for and to no other.
      redirect: 'manual',
      signal: deadline.signal,
    };
    try {
      for (let repeated = 0; ; repeated += 1) {
        try {
          return await exchange(new URL(path, url), init, answers);
        } catch (fault) {
          if (signal?.aborted) throw stopped(url, signal);
          if (deadline.signal.aborted) throw tooLate(url, timeoutMs, cancels);
          if (fault instanceof HTTPActionClientException) throw fault;
          if (repeated >= retries || !(call.idempotencyKey !== undefined || mayRepeat())) throw unreachable(url, fault);
        }
        await pause(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** repeated), deadline.signal);
      }
    } finally {
      deadline.close();
    }
  };

  const open: Wire['open'] = async (path, init) => {
    const address = new URL(path, url);
    const response = await (options.fetch ?? fetch)(address, { ...init, headers: { ...headers, ...init.headers }, redirect: 'manual' });
    if (response.ok) return response;
    throw refusalOf(response, await response.text(), url);
  };

  return { url, headers, send, open };
};

const parse = (text: string, status: number, url: URL): unknown => {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw malformed(url, 'writes no JSON', { status, cause });
  }
};
