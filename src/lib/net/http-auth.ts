import { createHash, randomBytes } from 'node:crypto';

/** What somebody logs in with at one server; a session speaks with no other, so that nobody else ever gets it. */
export type HttpCredentials = { readonly username: string; readonly password: string } | { readonly token: string };

/** Answers the challenges of one server. */
export interface HttpAuth {
  /** The value of `Authorization` for a request; undefined while the server has not said what it wants. */
  headerFor(method: string, path: string): string | undefined;
  /**
   * Takes the `WWW-Authenticate` of a 401, and tells whether the request is worth sending again; `sent` is the header that it had. What was
   * refused once with the same words is not sent a second time.
   */
  takeChallenge(challenge: string | undefined, sent: string | undefined): boolean;
}

/** One way to log in that a server offers. */
export interface HttpChallenge {
  /** In lower case. */
  readonly scheme: string;
  /** Names in lower case. */
  readonly parameters: ReadonlyMap<string, string>;
}

interface DigestTerms {
  readonly realm: string;
  readonly nonce: string;
  readonly opaque: string | undefined;
  readonly algorithm: string | undefined;
  readonly hash: 'md5' | 'sha256';
  readonly isSession: boolean;
  readonly hasQop: boolean;
}

type Way = { readonly kind: 'basic' } | { readonly kind: 'digest'; readonly terms: DigestTerms; count: number };

/** `newCnonce` makes the client's part of a digest; tests hand in their own. */
export const createHttpAuth = (
  credentials: HttpCredentials | undefined,
  newCnonce: () => string = () => randomBytes(16).toString('hex'),
): HttpAuth => {
  if (credentials === undefined) return { headerFor: () => undefined, takeChallenge: () => false };
  if ('token' in credentials) return { headerFor: () => `Bearer ${credentials.token}`, takeChallenge: () => false };
  const { username, password } = credentials;
  let way: Way | undefined;
  return {
    headerFor(method, path) {
      if (way === undefined) return undefined;
      if (way.kind === 'basic') return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
      way.count += 1;
      return digestHeader(way.terms, { username, password, method, path, count: way.count, cnonce: newCnonce() });
    },
    takeChallenge(challenge, sent) {
      const offered = parseChallenges(challenge ?? '');
      const digests = offered.flatMap(termsOf).sort((a, b) => b.hash.localeCompare(a.hash)); // sha256 before md5
      const [terms] = digests;
      if (terms === undefined) {
        // A name with a colon would be read as another name with another password.
        if (!offered.some(({ scheme }) => scheme === 'basic') || sent !== undefined || username.includes(':')) return false;
        way = { kind: 'basic' };
        return true;
      }
      const isStale = offered.some(({ scheme, parameters }) => scheme === 'digest' && parameters.get('stale')?.toLowerCase() === 'true');
      if (sent?.startsWith('Digest ') === true && (!isStale || sent.includes(`nonce="${terms.nonce}"`))) return false;
      way = { kind: 'digest', terms, count: 0 };
      return true;
    },
  };
};

const TOKEN = /[,\s]*([!#$%&'*+.^_`|~0-9A-Za-z-]+)(?:\s*=\s*("(?:[^"\\]|\\.)*"|[^\s,"]+))?/y;

/** Reads a list of challenges; what is malformed ends it. */
export const parseChallenges = (value: string): readonly HttpChallenge[] => {
  const found: { scheme: string; parameters: Map<string, string> }[] = [];
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(value); match !== null; match = TOKEN.exec(value)) {
    const [, name = '', written] = match;
    if (written === undefined) found.push({ scheme: name.toLowerCase(), parameters: new Map() });
    else found.at(-1)?.parameters.set(name.toLowerCase(), unquoted(written));
  }
  return found;
};

const unquoted = (written: string): string => (written.startsWith('"') ? written.slice(1, -1).replaceAll(/\\(.)/gs, '$1') : written);

/** What a digest is made by; nothing for one that nobody here can make. */
const termsOf = ({ scheme, parameters }: HttpChallenge): DigestTerms[] => {
  const [realm, nonce] = [parameters.get('realm'), parameters.get('nonce')];
  if (scheme !== 'digest' || realm === undefined || nonce === undefined) return [];
  const algorithm = parameters.get('algorithm');
  const [, name, session] = /^(md5|sha-256)(-sess)?$/i.exec(algorithm ?? 'MD5') ?? [];
  if (name === undefined) return [];
  const qop = parameters.get('qop');
  const hasQop = qop?.split(',').some((each) => each.trim().toLowerCase() === 'auth') === true;
  if (qop !== undefined && !hasQop) return [];
  const hash = name.toLowerCase() === 'md5' ? 'md5' : 'sha256';
  return [{ realm, nonce, opaque: parameters.get('opaque'), algorithm, hash, isSession: session !== undefined, hasQop }];
};

interface DigestParts {
  readonly username: string;
  readonly password: string;
  readonly method: string;
  readonly path: string;
  readonly count: number;
  readonly cnonce: string;
}

const digestHeader = (terms: DigestTerms, { username, password, method, path, count, cnonce }: DigestParts): string => {
  const { realm, nonce, opaque, algorithm, hash, isSession, hasQop } = terms;
  const digest = (text: string): string => createHash(hash).update(text).digest('hex');
  const user = digest(`${username}:${realm}:${password}`);
  const one = isSession ? digest(`${user}:${nonce}:${cnonce}`) : user;
  const two = digest(`${method}:${path}`);
  const nc = count.toString(16).padStart(8, '0');
  const response = digest(hasQop ? `${one}:${nonce}:${nc}:${cnonce}:auth:${two}` : `${one}:${nonce}:${two}`);
  const fields = [
    `username=${quoted(username)}`,
    `realm=${quoted(realm)}`,
    `nonce=${quoted(nonce)}`,
    `uri=${quoted(path)}`,
    `response="${response}"`,
    ...(algorithm === undefined ? [] : [`algorithm=${algorithm}`]),
    ...(opaque === undefined ? [] : [`opaque=${quoted(opaque)}`]),
    ...(hasQop ? ['qop=auth', `nc=${nc}`] : []),
    ...(hasQop || isSession ? [`cnonce="${cnonce}"`] : []),
  ];
  // Headers are bytes: what is not ASCII travels as UTF-8.
  return Buffer.from(`Digest ${fields.join(', ')}`, 'utf8').toString('latin1');
};

const quoted = (text: string): string => `"${text.replaceAll(/[\\"]/g, '\\$&')}"`;
