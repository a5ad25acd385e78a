import { DownloadException, FileAutomationException } from '../../core/errors.ts';
import { type HttpSession, type HttpSessionOptions, openHttpSession, type SessionAnswer } from './http-session.ts';
import { type AddressRules, type JudgedUrl, judgeUrl } from './judge-url.ts';
import type { Network } from './network.ts';
import { refused } from './refusal.ts';

export interface HttpClientOptions extends Pick<HttpSessionOptions, 'ca' | 'verifyTls' | 'connectMs' | 'firstByteMs' | 'idleMs'> {
  readonly network: Pick<Network, 'connect'>;
  readonly rules?: AddressRules;
  /** Throws unless this host may be asked; called for every hop, before anything is sent to it. */
  readonly demandHost?: ((host: string) => void) | undefined;
}

export interface HttpRequest {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly signal: AbortSignal;
  /** 0 where none may be followed; other methods than GET and HEAD never follow. */
  readonly maxRedirects?: number;
  /** Most bytes of the answer's body. */
  readonly maxBytes: number;
}

/** An answer whose body is still to come. */
export interface HttpAnswer {
  readonly status: number;
  /** Names in lower case; of repeated fields all values, joined by a comma. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Where the answer came from, after redirects. */
  readonly url: URL;
  /** A chunk is good until the next one is asked for. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Gives up what has not been read of the body. */
  drop(): Promise<void>;
}

/** Speaks HTTP with machines that the guard lets through: each connection goes to an address that was judged for it. */
export interface HttpClient extends AsyncDisposable {
  request(url: string, request: HttpRequest): Promise<HttpAnswer>;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Opens a client with rules of its own; no connection is shared with another client. Proxies of the environment are not used. */
export const openHttpClient = ({ rules = {}, demandHost, connectMs = 10_000, ...options }: HttpClientOptions): HttpClient => {
  const sessions = new Map<string, HttpSession>();

  const sessionOf = (origin: string): HttpSession => {
    const session = sessions.get(origin) ?? openHttpSession({ ...options, connectMs, rules, origin: new URL(origin) });
    sessions.set(origin, session);
    return session;
  };

  const ask = async (url: URL, request: HttpRequest, headers: Readonly<Record<string, string>>): Promise<SessionAnswer> => {
    const { method = 'GET', body, signal } = request;
    try {
      return await sessionOf(url.origin).send({
        method,
        path: `${url.pathname}${url.search}`,
        headers: { ...headers, 'accept-encoding': 'identity' },
        ...(body !== undefined && { body: Buffer.from(body) }),
        signal,
      });
    } catch (fault) {
      throw translated(fault, url, signal);
    }
  };

  const follow = async (first: JudgedUrl, request: HttpRequest): Promise<HttpAnswer> => {
    const { method = 'GET', maxRedirects = 5, maxBytes, signal } = request;
    let { url, written, host } = first;
    let headers = request.headers ?? {};
    for (let hops = 0; ; hops += 1) {
      demandHost?.(host);
      const { status, headers: answered, body } = await ask(url, request, headers);
      if (!REDIRECTS.has(status) || answered.location === undefined) {
        if (isCoded(answered['content-encoding'])) {
          await discard(body);
          throw new DownloadException(`${url.host} sent a compressed answer although none was asked for.`, { context: { host: url.host } });
        }
        return { status, headers: answered, url, body: capped(body, { maxBytes, url, signal }), drop: () => discard(body) };
      }
      await discard(body);
      if (hops >= maxRedirects || (method !== 'GET' && method !== 'HEAD')) throw refused('redirects', written);
      const next = judgeUrl(locate(answered.location, url), rules);
      if (url.protocol === 'https:' && next.url.protocol === 'http:') throw refused('downgrade', next.written);
      if (next.url.origin !== url.origin) headers = keptAcrossOrigins(headers);
      ({ url, written, host } = next);
    }
  };

  return {
    request: async (url, request) => follow(judgeUrl(url, rules), request),
    async [Symbol.asyncDispose]() {
      await Promise.all([...sessions.values()].map((session) => session[Symbol.asyncDispose]()));
    },
  };
};

/** What says which bytes are wanted tells nothing about the caller; everything else may be a credential. */
const ACROSS_ORIGINS: ReadonlySet<string> = new Set(['range', 'if-range', 'if-match', 'if-unmodified-since']);

const keptAcrossOrigins = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => ACROSS_ORIGINS.has(name.toLowerCase())));

/** `https://host` and what may follow it: nothing that a reader would pass over silently. */
const PLAIN = /^https?:\/\/[^\s/\\?#@]+(?:[/?#]|$)/i;

/** A relative redirect counts from where it was found; one that names a machine is judged as it is written, unless it is written plainly. */
const locate = (location: string, from: URL): string => {
  const written = location.startsWith('//') ? `${from.protocol}${location}` : location;
  if (/^[a-z][a-z0-9+.-]*:/i.test(written) && !PLAIN.test(written)) return written;
  return URL.canParse(written, from.href) ? new URL(written, from.href).href : written;
};

/** Stacked codings are how a small answer becomes a huge one: none was asked for, so none is taken. */
const isCoded = (coding: string | undefined): boolean => coding !== undefined && coding !== 'identity' && coding !== '';

/** Drops a body unread; that it ends early is what was wanted. */
const discard = async (body: AsyncIterable<Uint8Array>): Promise<void> => {
  try {
    await body[Symbol.asyncIterator]().return?.();
  } catch {
    // Nobody wants to know how it ended.
  }
};

/** The body up to the limit; counts what arrives, whatever the server announced. */
async function* capped(
  body: AsyncIterable<Uint8Array>,
  { maxBytes, url, signal }: { readonly maxBytes: number; readonly url: URL; readonly signal: AbortSignal },
): AsyncIterable<Uint8Array> {
  let received = 0;
  try {
    for await (const chunk of body) {
      received += chunk.byteLength;
      if (received > maxBytes) {
        throw new DownloadException(`The answer of ${url.host} is larger than the ${maxBytes} bytes allowed.`, {
          context: { host: url.host, max_bytes: maxBytes },
        });
      }
      yield chunk;
    }
  } catch (fault) {
    throw translated(fault, url, signal);
  }
}

/** A fault of the connection; paths are left out, since those of webhooks are secret. */
const translated = (fault: unknown, url: URL, signal: AbortSignal): unknown => {
  if (signal.aborted) return signal.reason;
  if (fault instanceof FileAutomationException) return fault;
  const { code, message } = fault instanceof Error ? (fault as NodeJS.ErrnoException) : { code: undefined, message: String(fault) }; // `code` may be missing there too
  const reason = code === undefined || message.includes(code) ? message : `${message} (${code})`;
  return new DownloadException(`${url.host} could not be asked: ${reason || 'the connection failed'}.`, {
    cause: fault,
    context: { host: url.host, ...(code !== undefined && { code }) },
    retryable: !isCertificateFault(code),
  });
};

const isCertificateFault = (code: string | undefined): boolean => code !== undefined && /CERT|ALTNAME|SELF_SIGNED|UNABLE_TO/.test(code);
