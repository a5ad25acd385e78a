import { FileAutomationException, UrlValidationException, WebDAVException } from '../../../core/errors.ts';
import type { StorageCode } from '../../../core/storage.ts';
import { isTransientCode } from '../../../core/transient.ts';
import { createHttpAuth, type HttpCredentials } from '../../../lib/net/http-auth.ts';
import { openHttpSession, type SessionAnswer, type SessionRequest } from '../../../lib/net/http-session.ts';
import type { BackendWorld } from '../../backend.ts';
import { createFaults, type StorageFaults } from '../../faults.ts';
import { createHrefs, type Hrefs } from './hrefs.ts';
import { type DavResource, PROPFIND_BODY, readMultistatus } from './multistatus.ts';
import type { WebdavSettings } from './settings.ts';

/** The longest answer about a directory: some 60,000 entries. */
const MOST_XML_BYTES = 32 * 1024 * 1024;

export interface WireRequest {
  readonly kind?: 'dir';
  readonly headers?: Readonly<Record<string, string>>;
  /** Asked for again where the server wants to hear another login first. */
  readonly body?: (() => NonNullable<SessionRequest['body']>) | undefined;
  readonly signal: AbortSignal;
}

/** WebDAV to one server: requests with a login, answers and faults as the storage means them. */
export interface Wire extends AsyncDisposable {
  readonly faults: StorageFaults;
  readonly hrefs: Hrefs;
  /** Sends a request about a path; the answer is as it comes, but for one that wants a login which we have not. */
  send(method: string, path: string, request: WireRequest): Promise<SessionAnswer>;
  /** The same where only the status counts; the body is thrown away. */
  ask(method: string, path: string, request: WireRequest): Promise<Pick<SessionAnswer, 'status' | 'headers'>>;
  /** What is at a path, and in it with depth 1; undefined where nothing is. */
  find(
    path: string,
    depth: 0 | 1,
    request: Omit<WireRequest, 'headers' | 'body'>,
  ): Promise<readonly (DavResource & { readonly path: string })[] | undefined>;
  /** The absolute URL of a path, for `Destination`. */
  urlOf(path: string): string;
  /** The fault of an answer that is not the wanted one. */
  refusal(method: string, path: string, answer: Pick<SessionAnswer, 'status' | 'headers'>): Error;
  /** A fault of the connection in the words of the storage. */
  translated(fault: unknown, path: string, signal: AbortSignal): unknown;
}

export const openWire = (settings: WebdavSettings, { location, network, rules }: BackendWorld): Wire => {
  const faults = createFaults(WebDAVException, location);
  const base = baseOf(settings.base_url, faults);
  const hrefs = createHrefs(base);
  const auth = createHttpAuth(credentialsOf(settings));
  const waitMs = (settings.timeout ?? 30) * 1000;
  const session = openHttpSession({
    origin: new URL(base.origin),
    network,
    rules,
    ca: settings.ca,
    verifyTls: settings.verify_tls ?? true,
    connectMs: waitMs,
    idleMs: waitMs,
  });

  const translated: Wire['translated'] = (fault, path, signal) => {
    if (signal.aborted) return signal.reason;
    if (fault instanceof WebDAVException || fault instanceof UrlValidationException) return fault;
    const { code, message } = fault instanceof Error ? (fault as NodeJS.ErrnoException) : { code: undefined, message: String(fault) }; // `code` may be missing there too
    return faults.because('unreachable', `${base.host} cannot be reached: ${message || code || 'the connection failed'}.`, {
      cause: fault,
      retryable:
        fault instanceof FileAutomationException
          ? fault.retryable
          : isTransientCode(code) || !/CERT|ALTNAME|SIGNED|UNABLE_TO/.test(code ?? ''),
      context: { location: `${location}/${path}`, ...(code !== undefined && { server_code: code }) },
    });
  };

  const send: Wire['send'] = async (method, path, { kind, headers = {}, body, signal }) => {
    const target = hrefs.write(path, kind);
    for (let attempt = 1; ; attempt += 1) {
      const authorization = auth.headerFor(method, target);
      const answer = await session
        .send({
          method,
          path: target,
          headers: { 'accept-encoding': 'identity', ...headers, ...(authorization !== undefined && { authorization }) },
          ...(body !== undefined && { body: body() }),
          signal,
        })
        .catch((fault: unknown) => {
          throw translated(fault, path, signal);
        });
      if (answer.status !== 401) return answer;
      await drop(answer);
      if (attempt > 3 || !auth.takeChallenge(answer.headers['www-authenticate'], authorization)) throw refusal(method, path, answer);
    }
  };

  const refusal: Wire['refusal'] = (method, path, { status }) => {
    const shown = `${location}/${path}`;
    const [code, words, retryable] = MEANINGS.get(status) ?? meaningOf(status);
    return faults.because(code, `${base.host} answered ${method} ${shown} with ${status}: ${words}.`, {
      retryable,
      context: { location: shown, server_code: String(status) },
    });
  };

  const ask: Wire['ask'] = async (method, path, request) => {
    const answer = await send(method, path, request);
    await drop(answer);
    return answer;
  };

  return {
    faults,
    hrefs,
    send,
    ask,
    async find(path, depth, { kind, signal }) {
      const headers = { depth: String(depth), 'content-type': 'application/xml; charset=utf-8' };
      let answer = await send('PROPFIND', path, { ...(kind && { kind }), headers, body: () => PROPFIND_BODY, signal });
      if (kind === undefined && [301, 302, 307, 308].includes(answer.status)) {
        // Some servers know a directory only with its slash.
        await drop(answer);
        answer = await send('PROPFIND', path, { kind: 'dir', headers, body: () => PROPFIND_BODY, signal });
      }
      if (answer.status === 404 || answer.status === 410) return drop(answer);
      if (answer.status !== 207) {
        await drop(answer);
        throw refusal('PROPFIND', path, answer);
      }
      const fail = (why: string) =>
        faults.because('broken', `The answer of ${base.host} about ${location}/${path} ${why}.`, {
          context: { location: `${location}/${path}` },
        });
      const source = await answer.bytes(MOST_XML_BYTES).catch((fault: unknown) => {
        throw translated(fault, path, signal);
      });
      const resources = readMultistatus(utf8Of(source, fail), fail);
      return resources.map((resource) => {
        const found = hrefs.read(resource.href);
        if (found === undefined) throw fail(`names ${JSON.stringify(resource.href.slice(0, 200))}, which is no name below it`);
        return { ...resource, path: found };
      });
    },
    urlOf: (path) => `${base.origin}${hrefs.write(path)}`,
    refusal,
    translated,
    [Symbol.asyncDispose]: () => session[Symbol.asyncDispose](),
  };
};

type Meaning = readonly [code: StorageCode, words: string, retryable: boolean];

const MEANINGS: ReadonlyMap<number, Meaning> = new Map<number, Meaning>([
  [401, ['denied', 'the login is wrong, or of a kind that is not known; check the connection', false]],
  [403, ['denied', 'it does not let us do this', false]],
  [404, ['not_found', 'nothing is there; check the location', false]],
  [405, ['unsupported', 'it does not do this here', false]],
  [409, ['not_found', 'the directory above it is missing', false]],
  [410, ['not_found', 'it is gone', false]],
  [412, ['exists', 'something is there already', false]],
  [413, ['out_of_space', 'it takes no file of this size', false]],
  [414, ['bad_name', 'the name is too long for it', false]],
  [423, ['busy', 'somebody has locked it; try again later', true]],
  [429, ['busy', 'it was asked too often; try again later', true]],
  [501, ['unsupported', 'it cannot do this', false]],
  [503, ['busy', 'it is too busy; try again later', true]],
  [507, ['out_of_space', 'its space is used up; make room there', false]],
]);

const meaningOf = (status: number): Meaning => {
  if (status >= 300 && status < 400)
    return ['unsupported', 'it sends us elsewhere, which is not followed; write the right base_url', false];
  return status === 408 || status >= 500
    ? ['broken', 'it has a fault; try again later', true]
    : ['broken', 'that is no answer to it', false];
};

const drop = async ({ body }: Pick<SessionAnswer, 'body'>): Promise<undefined> => {
  let bytes = 0;
  try {
    // Short ones are read, so that the connection can be used again.
    for await (const chunk of body) {
      bytes += chunk.byteLength;
      if (bytes > 65_536) break;
    }
  } catch {
    // How the end of what nobody wants came about does not matter.
  }
};

const utf8Of = (source: Buffer, fail: (why: string) => Error): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(source);
  } catch {
    throw fail('is no UTF-8');
  }
};

const baseOf = (written: string, faults: StorageFaults): URL => {
  const url = URL.canParse(written) ? new URL(written) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '' || url.hash !== '') {
    throw faults.because('bad_name', 'base_url is no address of a directory; write https://host/path, the login in keys of its own.');
  }
  return url;
};

const credentialsOf = ({ username, password, token }: WebdavSettings): HttpCredentials | undefined => {
  if (token !== undefined) return { token };
  return username === undefined ? undefined : { username, password: password ?? '' };
};
