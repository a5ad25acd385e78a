import type { StorageCode } from '../../../core/storage.ts';
import { readXml, textAt, type XmlElement } from '../../../lib/data/xml/read-xml.ts';
import type { StorageFaults } from '../../faults.ts';

/** What a server says of a request that it refuses. */
export interface S3Refusal {
  readonly status: number;
  /** The service's own word, where it gives one. */
  readonly code: string | undefined;
  readonly region: string | undefined;
}

interface Meaning {
  readonly code: StorageCode;
  readonly retryable?: true;
  readonly words: string;
}

const denied = (words: string): Meaning => ({ code: 'denied', words });
const badName = (words: string): Meaning => ({ code: 'bad_name', words });
const busy: Meaning = { code: 'busy', retryable: true, words: 'the server has too much to do; try later' };
const broken: Meaning = { code: 'broken', retryable: true, words: 'the server failed; try again' };
const arrived: Meaning = { code: 'broken', retryable: true, words: 'the content did not arrive as it was sent; send it again' };

const BY_CODE: ReadonlyMap<string, Meaning> = new Map(
  Object.entries({
    NoSuchBucket: { code: 'not_found', words: 'there is no such bucket; make it first, or check its name' },
    NoSuchKey: { code: 'not_found', words: 'nothing is there; check the location, list the directory above it' },
    NoSuchUpload: { code: 'not_found', words: 'the server has forgotten the upload; start it again' },
    AccessDenied: denied('these credentials may not do that; check the policy of the user and of the bucket'),
    AllAccessDisabled: denied('the bucket is closed'),
    AccountProblem: denied('the account has a problem; ask the provider'),
    InvalidAccessKeyId: denied('the access key is not known; check aws_access_key_id'),
    SignatureDoesNotMatch: denied('the secret does not belong to the access key; check aws_secret_access_key'),
    ExpiredToken: denied('the credentials have ended; get new ones'),
    InvalidToken: denied('the token of the session is not known; check aws_session_token'),
    AuthorizationHeaderMalformed: denied('the region or the key of the connection is another one; check region_name'),
    RequestTimeTooSkewed: denied('the clock of this machine differs from that of the server; set it'),
    InvalidObjectState: denied('the object is archived; restore it first'),
    SlowDown: busy,
    ServiceUnavailable: busy,
    Throttling: busy,
    ThrottlingException: busy,
    TooManyRequests: busy,
    RequestLimitExceeded: busy,
    OperationAborted: busy,
    ConditionalRequestConflict: busy,
    InternalError: broken,
    RequestTimeout: broken,
    BadDigest: arrived,
    InvalidDigest: arrived,
    IncompleteBody: arrived,
    XAmzContentSHA256Mismatch: arrived,
    XAmzContentChecksumMismatch: arrived,
    QuotaExceeded: { code: 'out_of_space', words: 'the quota is used up; make room or raise it' },
    EntityTooLarge: { code: 'unsupported', words: 'it is too large for the server' },
    EntityTooSmall: { code: 'unsupported', words: 'a part but the last is too small for the server' },
    InvalidPart: { code: 'changed', words: 'a part is not there any more; send it again' },
    InvalidPartOrder: { code: 'changed', words: 'the parts are in another order; start again' },
    KeyTooLongError: badName('the key is too long; choose a shorter name'),
    InvalidBucketName: badName('the server takes no bucket of that name; choose another one'),
    InvalidURI: badName('the server cannot read the name; choose another one'),
    NotImplemented: {
      code: 'unsupported',
      words: 'the server cannot do that; set checksum or exclusive_writes of the connection to what it can',
    },
    MethodNotAllowed: { code: 'unsupported', words: 'the server does not allow that there' },
  } satisfies Record<string, Meaning>),
);

const byStatus = (status: number): Meaning => {
  if (status === 404) return { code: 'not_found', words: 'nothing is there; check the location, list the directory above it' };
  if (status === 401 || status === 403) return denied('these credentials may not do that; check them, and the policy of the bucket');
  if (status === 301 || status === 307) return denied('the bucket is in another region; check region_name and endpoint_url');
  if (status === 412) return { code: 'changed', words: 'it was changed meanwhile; start again with what is there now' };
  if (status === 429 || status === 503) return busy;
  if (status === 507) return { code: 'out_of_space', words: 'the server has no room left' };
  if (status === 501 || status === 405) return { code: 'unsupported', words: 'the server cannot do that' };
  if (status === 408 || status >= 500) return broken;
  // Without a word of the service: the request was cut on its way, and what came was no request.
  if (status === 400)
    return { code: 'broken', retryable: true, words: 'the server cannot read the request; check endpoint_url, try again' };
  return { code: 'broken', words: 'the server does not take the request; check endpoint_url and the settings of the connection' };
};

/** The refusal as an error. What the server says in words is not repeated: it may hold what was sent to it. */
export const refusalFault = ({ status, code }: S3Refusal, path: string, faults: StorageFaults, location: string) => {
  const { code: about, words, retryable = false } = BY_CODE.get(code ?? '') ?? byStatus(status);
  return faults.because(about, `${location}/${path}: ${words} (${code ?? status}).`, {
    context: { location: `${location}/${path}`, status, ...(code !== undefined && { server_code: code }) },
    retryable,
  });
};

/** Reads the body of a refusal; a body that is none says nothing. */
export const readRefusal = (status: number, body: string, header: string | undefined): S3Refusal => {
  try {
    return refusalIn(readXml(body, { fail: (why) => new SyntaxError(why) }), status, header);
  } catch {
    return { status, code: undefined, region: header }; // proxies answer in HTML
  }
};

export const refusalIn = (root: XmlElement, status: number, header: string | undefined): S3Refusal => {
  const code = root.name === 'Error' ? textAt(root, 'Code') : undefined;
  return {
    status,
    code: code !== undefined && /^[A-Za-z0-9.]{1,64}$/.test(code) ? code : undefined,
    region: header ?? textAt(root, 'Region'),
  };
};
