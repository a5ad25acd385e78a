import { createHmac, hash } from 'node:crypto';

/** What a request is signed with. */
export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
  /** When they end; left out where they do not. */
  readonly expiresMs?: number | undefined;
}

/** A request as it is sent, so that what is signed and what is sent cannot differ. */
export interface SignedParts {
  readonly method: string;
  /** Encoded. */
  readonly path: string;
  /** Encoded and in order: made by `canonicalQuery`. */
  readonly query: string;
  /** Names in lower case; `host` among them. All are signed. */
  readonly headers: Readonly<Record<string, string>>;
  /** The SHA-256 of the body in hexadecimal, or `UNSIGNED_PAYLOAD`. */
  readonly payload: string;
}

export interface Signing {
  readonly credentials: S3Credentials;
  readonly region: string;
  readonly nowMs: number;
}

/** Says that the body is not signed: only where TLS keeps it whole. */
export const UNSIGNED_PAYLOAD = 'UNSIGNED-PAYLOAD';

/** Everything but letters, digits and `-._~` as bytes of UTF-8 in hexadecimal. */
export const encodeValue = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);

/** The same, with slashes left as they are. */
export const encodeKey = (key: string): string => encodeValue(key).replaceAll('%2F', '/');

/** A query in the order and spelling that is signed. */
export const canonicalQuery = (query: Readonly<Record<string, string | undefined>>): string =>
  Object.entries(query)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${encodeValue(name)}=${encodeValue(value)}`]))
    .sort()
    .join('&');

/** A signer keeps the key that it derived for the day: most of the work. */
export const createSigner = () => {
  let derived: { readonly scope: string; readonly secret: string; readonly key: Buffer } | undefined;

  const keyFor = (scope: string, day: string, { credentials, region }: Signing): Buffer => {
    const { secretAccessKey: secret } = credentials;
    if (derived?.scope !== scope || derived.secret !== secret) {
      const key = [day, region, 's3', 'aws4_request'].reduce<Buffer>((above, text) => hmac(above, text), Buffer.from(`AWS4${secret}`));
      derived = { scope, secret, key };
    }
    return derived.key;
  };

  /** The headers of a request with its signature (AWS Signature Version 4). */
  return ({ method, path, query, headers, payload }: SignedParts, signing: Signing): Record<string, string> => {
    const { accessKeyId, sessionToken } = signing.credentials;
    const time = new Date(signing.nowMs).toISOString().replaceAll(/[-:]|\.\d{3}/g, '');
    const day = time.slice(0, 8);
    const scope = `${day}/${signing.region}/s3/aws4_request`;
    const all: Record<string, string> = {
      ...headers,
      'x-amz-content-sha256': payload,
      'x-amz-date': time,
      ...(sessionToken !== undefined && { 'x-amz-security-token': sessionToken }),
    };
    const names = Object.keys(all).sort();
    const signed = names.join(';');
    let listed = '';
    for (const name of names) listed += `${name}:${plainValue(all[name] ?? '')}\n`;
    const canonical = `${method}\n${path}\n${query}\n${listed}\n${signed}\n${payload}`;
    const signature = hmac(keyFor(scope, day, signing), `AWS4-HMAC-SHA256\n${time}\n${scope}\n${sha256(canonical)}`).toString('hex');
    return { ...all, authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope},SignedHeaders=${signed},Signature=${signature}` };
  };
};

/** In hexadecimal. */
export const sha256 = (content: string | Uint8Array): string => hash('sha256', content);

/** Spaces around a value do not count, and several of them are one. */
const plainValue = (value: string): string => (value.includes(' ') ? value.trim().replaceAll(/ {2,}/g, ' ') : value);

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
