import type { XmlElement } from '../../../lib/data/xml/read-xml.ts';
import { openHttpSession, type SessionAnswer } from '../../../lib/net/http-session.ts';
import type { BackendWorld } from '../../backend.ts';
import type { StorageFaults } from '../../faults.ts';
import { bodyDocument, bodyText, sourced, wayFault } from '../../objects/answers.ts';
import { refusalFault } from './faults.ts';
import { type AzureSettings, readAccount } from './settings.ts';
import { sharedKey } from './sign.ts';

export interface AzureRequest {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** A container, or a container and a blob; the empty text is the account. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | { readonly bytes: number; chunks(): AsyncIterable<Uint8Array> };
  /** Answers that are none to fail for. */
  readonly expected?: readonly number[];
  readonly signal: AbortSignal;
}

export interface AzureClient extends AsyncDisposable {
  readonly host: string;
  /** An answer of the status 200 to 299, or one that is expected; everything else is a fault. */
  send(request: AzureRequest): Promise<SessionAnswer>;
  /** The same, where only the head of the answer counts. */
  tell(request: AzureRequest): Promise<Pick<SessionAnswer, 'status' | 'headers'>>;
  /** The same, with a document as its answer. */
  ask(request: AzureRequest): Promise<XmlElement>;
  /** The address of a blob as the service itself may read it. It may hold a signature: it is for headers only. */
  sourceUrl(path: string): string;
}

const VERSION = '2021-12-02';
const SKEW_MS = 5 * 60_000;
const MAX_DOCUMENT_BYTES = 32 * 1024 * 1024;
const MAX_REFUSAL_BYTES = 64 * 1024;

/** Every byte but the unreserved ones, so that no name can be read otherwise on the way. */
const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);
const encodePath = (path: string): string => encode(path).replaceAll('%2F', '/');
const encodeQuery = (query: Readonly<Record<string, string>>): string =>
  Object.entries(query)
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .join('&');

/** Requests to the blobs of one account, with its credentials. */
export const createAzureClient = (settings: AzureSettings, world: BackendWorld, faults: StorageFaults): AzureClient => {
  const { name: account, url, credential } = readAccount(settings, faults);
  const base = url.pathname === '/' ? '' : url.pathname;
  const session = openHttpSession({
    origin: url,
    network: world.network,
    rules: world.rules,
    ca: settings.ca,
    verifyTls: settings.verify_tls ?? true,
    idleMs: (settings.timeout ?? 60) * 1000,
  });
  let skewMs = 0;

  const authorization = (parts: Parameters<typeof sharedKey>[0]): Record<string, string> => {
    if (credential.kind === 'key') return { authorization: sharedKey(parts, account, credential.key) };
    return credential.kind === 'bearer' ? { authorization: `Bearer ${credential.token}` } : {};
  };

  const sendOnce = async ({ method, path, query = {}, headers = {}, body, signal }: AzureRequest): Promise<SessionAnswer> => {
    const encoded = `${base}/${encodePath(path)}`;
    const given = Object.fromEntries(Object.entries(query).filter((each): each is [string, string] => each[1] !== undefined));
    const asked = credential.kind === 'sas' ? { ...given, ...credential.query } : given;
    const content = body ?? (method === 'PUT' ? new Uint8Array() : undefined);
    const bytes = content === undefined ? 0 : content instanceof Uint8Array ? content.byteLength : content.bytes;
    const all = { ...headers, 'x-ms-version': VERSION, 'x-ms-date': new Date(world.clock.now() + skewMs).toUTCString() };
    const search = encodeQuery(asked);
    const streamed = content === undefined || content instanceof Uint8Array ? undefined : sourced(content.chunks());
    try {
      return await session.send({
        method,
        path: search === '' ? encoded : `${encoded}?${search}`,
        headers: { ...all, ...authorization({ method, path: encoded, query: asked, headers: all, bytes }) },
        ...(content !== undefined && {
          body: content instanceof Uint8Array ? content : { bytes, chunks: streamed?.chunks ?? content.chunks() },
        }),
        signal,
      });
    } catch (fault) {
      streamed?.demandWell();
      throw wayFault(fault, url.host, { faults, signal });
    }
  };

  const send = async (request: AzureRequest): Promise<SessionAnswer> => {
    const { path, expected = [], signal } = request;
    for (let attempt = 1; ; attempt += 1) {
      const answer = await sendOnce(request);
      const { status, headers } = answer;
      if ((status >= 200 && status < 300) || expected.includes(status)) return answer;
      await bodyText(answer, MAX_REFUSAL_BYTES, { host: url.host, faults, signal });
      const ahead = Date.parse(headers.date ?? '') - (world.clock.now() + skewMs);
      if (attempt > 1 || status !== 403 || credential.kind !== 'key' || !(Math.abs(ahead) > SKEW_MS))
        throw refusalFault(status, headers['x-ms-error-code'], { path, faults, location: world.location });
      skewMs += ahead; // the clock of this machine differs
    }
  };

  return {
    host: url.host,
    send,
    async tell(request) {
      const answer = await send(request);
      await bodyText(answer, MAX_REFUSAL_BYTES, { host: url.host, faults, signal: request.signal }); // so that the connection can be used again
      return answer;
    },
    ask: async (request) => bodyDocument(await send(request), MAX_DOCUMENT_BYTES, { host: url.host, faults, signal: request.signal }),
    sourceUrl: (path) => `${url.origin}${base}/${encodePath(path)}${credential.kind === 'sas' ? `?${encodeQuery(credential.query)}` : ''}`,
    [Symbol.asyncDispose]: () => session[Symbol.asyncDispose](),
  };
};
