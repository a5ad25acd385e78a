import type { StorageException } from '../../../core/errors.ts';
import type { XmlElement } from '../../../lib/data/xml/read-xml.ts';
import { type HttpSession, openHttpSession, type SessionAnswer } from '../../../lib/net/http-session.ts';
import type { BackendWorld } from '../../backend.ts';
import type { StorageFaults } from '../../faults.ts';
import { bodyDocument, bodyText, sourced, wayFault } from '../../objects/answers.ts';
import type { RenewedCredentials } from './credentials/renewed.ts';
import { endpointOf, REGION } from './endpoint.ts';
import { readRefusal, refusalFault, refusalIn, type S3Refusal } from './faults.ts';
import type { S3Settings } from './settings.ts';
import { canonicalQuery, createSigner, sha256, UNSIGNED_PAYLOAD } from './sign.ts';

export interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** The empty text asks for the buckets. */
  readonly bucket: string;
  readonly key?: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: S3Body;
  /** Answers that are none to fail for. */
  readonly expected?: readonly number[];
  readonly signal: AbortSignal;
}

export interface S3Body {
  readonly content: Uint8Array | { readonly bytes: number; chunks(): AsyncIterable<Uint8Array> };
  /** In hexadecimal; left out only where TLS keeps the body whole. */
  readonly sha256?: string | undefined;
}

export interface S3Client extends AsyncDisposable {
  readonly isSecure: boolean;
  /** An answer of the status 200 to 299, or one that is expected; everything else is a fault. */
  send(request: S3Request): Promise<S3Answer>;
  /** The same, where only the head of the answer counts. */
  tell(request: S3Request): Promise<Pick<S3Answer, 'status' | 'headers'>>;
  /** The same, with a document as its answer. A document that tells of a failure is a fault, whatever the status. */
  ask(request: S3Request): Promise<XmlElement>;
}

export interface S3Answer extends SessionAnswer {
  readonly host: string;
}

export interface S3ClientOptions {
  readonly settings: S3Settings;
  readonly world: BackendWorld;
  readonly faults: StorageFaults;
  readonly credentials: RenewedCredentials;
  /** Asked once. */
  readonly findRegion: () => Promise<string | undefined>;
}

const FIRST_REGION = 'us-east-1';
/** A request of another time is refused when it is a quarter of an hour away. */
const SKEW_MS = 5 * 60_000;
const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;
const MAX_REFUSAL_BYTES = 64 * 1024;
/** Buckets may each be a machine of their own. */
const MAX_SESSIONS = 32;

/** Signed requests: to which machine, of which region, by which clock. Everything that is learnt from answers is kept here. */
export const createS3Client = ({ settings, world, faults, credentials, findRegion }: S3ClientOptions): S3Client => {
  const endpoint = endpointOf(settings, faults);
  const sign = createSigner();
  const sessions = new Map<string, HttpSession>();
  const regions = new Map<string, string>();
  let usual: Promise<string> | undefined;
  let skewMs = 0;

  const sessionOf = (origin: URL): HttpSession => {
    const known = sessions.get(origin.origin);
    if (known !== undefined && sessions.size === 1) return known;
    const open =
      known ??
      openHttpSession({
        origin,
        network: world.network,
        rules: world.rules,
        ca: settings.ca,
        verifyTls: settings.verify_tls ?? true,
        idleMs: (settings.timeout ?? 60) * 1000,
      });
    // The one that was used last is the last; the first is let go.
    sessions.delete(origin.origin);
    sessions.set(origin.origin, open);
    const [oldest] = sessions.keys();
    if (sessions.size > MAX_SESSIONS && oldest !== undefined) {
      void sessions.get(oldest)?.[Symbol.asyncDispose]();
      sessions.delete(oldest);
    }
    return open;
  };

  const regionOf = (bucket: string): Promise<string> => {
    const learnt = regions.get(bucket);
    usual ??=
      settings.region_name === undefined ? findRegion().then((found) => found ?? FIRST_REGION) : Promise.resolve(settings.region_name);
    return learnt === undefined ? usual : Promise.resolve(learnt);
  };

  const sendOnce = async (
    { method, bucket, key = '', query = {}, headers = {}, body, signal }: S3Request,
    region: string,
  ): Promise<S3Answer> => {
    const { origin, path } = endpoint.target(region, bucket, key);
    const search = canonicalQuery(query);
    const given = await credentials.get();
    const host = origin.host;
    const payload = body === undefined ? EMPTY : (body.sha256 ?? UNSIGNED_PAYLOAD);
    const signed =
      given === undefined
        ? headers
        : sign(
            { method, path, query: search, headers: { ...headers, host }, payload },
            { credentials: given, region, nowMs: world.clock.now() + skewMs },
          );
    const content = body?.content ?? (method === 'PUT' || method === 'POST' ? new Uint8Array() : undefined);
    const { host: _host, ...sent } = signed as Record<string, string>; // the session sets it
    const streamed = content === undefined || content instanceof Uint8Array ? undefined : sourced(content.chunks());
    try {
      const answer = await sessionOf(origin).send({
        method,
        path: search === '' ? path : `${path}?${search}`,
        headers: sent,
        ...(content !== undefined && {
          body: content instanceof Uint8Array ? content : { bytes: content.bytes, chunks: streamed?.chunks ?? content.chunks() },
        }),
        signal,
      });
      return Object.assign(answer, { host });
    } catch (fault) {
      streamed?.demandWell();
      throw wayFault(fault, host, { faults, signal });
    }
  };

  /** Whether the same request may go well now, because something was learnt of the server. */
  const learn = (request: S3Request, region: string, refusal: S3Refusal, date: string | undefined): boolean => {
    const { status, code, region: told } = refusal;
    if (told !== undefined && told !== region && REGION.test(told) && request.bucket !== '' && [301, 307, 400, 403].includes(status)) {
      regions.set(request.bucket, told);
      return true;
    }
    const server = Date.parse(date ?? '');
    const ahead = server - (world.clock.now() + skewMs);
    if ((code === 'RequestTimeTooSkewed' || (code === undefined && status === 403)) && Math.abs(ahead) > SKEW_MS) {
      skewMs += ahead;
      return true;
    }
    return (code === 'ExpiredToken' || code === 'ExpiredTokenException') && credentials.forget();
  };

  const send = async (request: S3Request): Promise<S3Answer> => {
    const { bucket, key = '', expected = [], signal } = request;
    for (let attempt = 1; ; attempt += 1) {
      const region = await regionOf(bucket);
      const answer = await sendOnce(request, region);
      const { status, headers } = answer;
      if ((status >= 200 && status < 300) || expected.includes(status)) return answer;
      const text = await bodyText(answer, MAX_REFUSAL_BYTES, { host: answer.host, faults, signal });
      const refusal = readRefusal(status, text, headers['x-amz-bucket-region']);
      if (attempt > 2 || !learn(request, region, refusal, headers.date)) throw faultFor(refusal, bucket, key);
    }
  };

  const faultFor = (refusal: S3Refusal, bucket: string, key: string): StorageException =>
    refusalFault(refusal, key === '' ? bucket : `${bucket}/${key}`, faults, world.location);

  return {
    isSecure: endpoint.isSecure,
    send,
    async tell(request) {
      const answer = await send(request);
      await bodyText(answer, MAX_REFUSAL_BYTES, { host: answer.host, faults, signal: request.signal }); // so that the connection can be used again
      return answer;
    },
    async ask(request) {
      const answer = await send(request);
      const root = await bodyDocument(answer, MAX_DOCUMENT_BYTES, { host: answer.host, faults, signal: request.signal });
      if (root.name === 'Error') throw faultFor(refusalIn(root, 500, undefined), request.bucket, request.key ?? '');
      return root;
    },
    async [Symbol.asyncDispose]() {
      for (const session of sessions.values()) await session[Symbol.asyncDispose]();
    },
  };
};

const EMPTY = sha256('');
