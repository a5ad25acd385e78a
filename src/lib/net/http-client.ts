import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { DownloadException, FileAutomationException } from '../../core/errors.ts';
import { type Dial, dial as dialTcp, secure } from './connect.ts';
import type { AddressGuard } from './guard.ts';
import { type AddressRules, bareHost, type JudgedUrl, judgeUrl } from './judge-url.ts';
import { refused } from './refusal.ts';

export interface HttpClientOptions {
  readonly guard: AddressGuard;
  readonly rules?: AddressRules;
  /** Certificates of authorities to trust instead of those of the system, as PEM. */
  readonly ca?: string | undefined;
  readonly connectMs?: number;
  /** How long the server may be silent. */
  readonly idleMs?: number;
  readonly dial?: Dial;
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
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Where the answer came from, after redirects. */
  readonly url: URL;
  readonly body: AsyncIterable<Uint8Array>;
}

/** Speaks HTTP with machines that the guard lets through: each connection goes to an address that was judged for it. */
export interface HttpClient extends AsyncDisposable {
  request(url: string, request: HttpRequest): Promise<HttpAnswer>;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Opens a client with rules of its own; no connection is shared with another client. Proxies of the environment are not used. */
export const openHttpClient = ({
  guard,
  rules = {},
  ca,
  connectMs = 10_000,
  idleMs = 30_000,
  dial = dialTcp,
}: HttpClientOptions): HttpClient => {
  let agent: Promise<Dispatcher> | undefined;

  const connect = async (protocol: string, hostname: string, port: number) => {
    const host = bareHost(hostname);
    const addresses = await guard.addressesOf(host, rules);
    const socket = await dial({ host, port, addresses }, { timeoutMs: connectMs });
    return protocol === 'https:' ? secure(socket, { host, ca, timeoutMs: connectMs }) : socket;
  };

  const openAgent = async (): Promise<Dispatcher> => {
    const { Agent } = await import('undici');
    return new Agent({
      connect: ({ protocol, hostname, port }, done) =>
        void connect(protocol, hostname, Number(port || (protocol === 'https:' ? 443 : 80))).then(
          (socket) => done(null, socket),
          (fault: Error) => done(fault, null),
        ),
      headersTimeout: idleMs,
      bodyTimeout: idleMs,
      maxHeaderSize: 16_384,
      maxRequestsPerClient: 1_000,
    });
  };

  const ask = async (url: URL, request: HttpRequest, headers: Readonly<Record<string, string>>) => {
    agent ??= openAgent();
    const { method = 'GET', body, signal } = request;
    const dispatcher = await agent;
    try {
      return await dispatcher.request({
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method,
        headers: { ...headers, 'accept-encoding': 'identity' },
        ...(body !== undefined && { body: typeof body === 'string' ? body : Buffer.from(body) }),
        signal,
      });
    } catch (fault) {
      throw translated(fault, url, signal);
    }
  };

  const follow = async (first: JudgedUrl, request: HttpRequest): Promise<HttpAnswer> => {
    const { method = 'GET', maxRedirects = 5, maxBytes, signal } = request;
    let { url, written } = first;
    let headers = request.headers ?? {};
    for (let hops = 0; ; hops += 1) {
      const { statusCode: status, headers: answered, body } = await ask(url, request, headers);
      if (!REDIRECTS.has(status) || answered.location === undefined) {
        if (isCoded(answered['content-encoding'])) {
          discard(body);
          throw new DownloadException(`${url.host} sent a compressed answer although none was asked for.`, { context: { host: url.host } });
        }
        return { status, headers: answered, url, body: capped(body, { maxBytes, url, signal }) };
      }
      discard(body);
      if (hops >= maxRedirects || (method !== 'GET' && method !== 'HEAD')) throw refused('redirects', written);
      const next = judgeUrl(locate(String(answered.location), url), rules);
      if (url.protocol === 'https:' && next.url.protocol === 'http:') throw refused('downgrade', next.written);
      if (next.url.origin !== url.origin) headers = {};
      ({ url, written } = next);
    }
  };

  return {
    request: (url, request) => follow(judgeUrl(url, rules), request),
    async [Symbol.asyncDispose]() {
      await (await agent)?.destroy();
    },
  };
};

/** A relative redirect counts from where it was found; the result is judged as it reads. */
const locate = (location: string, from: URL): string => (URL.canParse(location, from.href) ? new URL(location, from.href).href : location);

/** Stacked codings are how a small answer becomes a huge one: none was asked for, so none is taken. */
const isCoded = (coding: string | readonly string[] | undefined): boolean => coding !== undefined && coding !== 'identity' && coding !== '';

/** Drops a body unread; that it ends early is what was wanted. */
const discard = (body: Readable): void => void body.on('error', () => {}).destroy();

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
