import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** One line of a `known_hosts` file that concerns a host. */
interface KnownKey {
  readonly line: number;
  readonly marker: 'revoked' | 'cert-authority' | undefined;
  readonly type: string;
  readonly key: Buffer;
}

/** What a file of known hosts says of the key that a server shows. */
export type HostKeyVerdict =
  | { readonly kind: 'known' }
  | { readonly kind: 'revoked'; readonly line: number }
  | { readonly kind: 'changed'; readonly lines: readonly number[]; readonly fingerprints: readonly string[] }
  | { readonly kind: 'authority'; readonly line: number }
  | { readonly kind: 'unknown' };

/** What is known of one host. */
export interface KnownHost {
  /** The types of its keys, so that the server is asked for one of those. */
  readonly types: readonly string[];
  judge(shown: Buffer): HostKeyVerdict;
}

/**
 * Reads what a `known_hosts` file says of a host, as OpenSSH does: patterns, negation, hashed names, ports, several keys, `@revoked`. A name
 * without a port means port 22 and no other. Lines that cannot be read are passed over.
 */
export const readKnownHost = (file: string, host: string, port: number): KnownHost => {
  const name = hostName(host, port);
  const keys = file.split(/\r?\n/).flatMap((text, at) => keyOf(text, at + 1, name));
  const plain = keys.filter(({ marker }) => marker === undefined);
  return {
    types: [...new Set(plain.map(({ type }) => type))],
    judge(shown) {
      const revoked = keys.find(({ marker, key }) => marker === 'revoked' && key.equals(shown));
      if (revoked !== undefined) return { kind: 'revoked', line: revoked.line };
      if (plain.some(({ key }) => key.equals(shown))) return { kind: 'known' };
      if (plain.length > 0)
        return { kind: 'changed', lines: plain.map(({ line }) => line), fingerprints: plain.map(({ key }) => fingerprintOf(key)) };
      const authority = keys.find(({ marker }) => marker === 'cert-authority');
      return authority === undefined ? { kind: 'unknown' } : { kind: 'authority', line: authority.line };
    },
  };
};

/** How a host is written in the file. */
export const hostName = (host: string, port: number): string => (port === 22 ? host.toLowerCase() : `[${host.toLowerCase()}]:${port}`);

/** The fingerprint of a key, as `ssh-keygen -l` shows it. */
export const fingerprintOf = (key: Buffer): string => `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;

/** The line that makes a key known. */
export const lineFor = (host: string, port: number, key: Buffer): string =>
  `${hostName(host, port)} ${keyTypeOf(key)} ${key.toString('base64')}`;

/** The type that a key begins with; empty where it begins with none. */
export const keyTypeOf = (key: Buffer): string => {
  const length = key.length < 4 ? 0 : key.readUInt32BE(0);
  const type = length > 64 ? '' : key.toString('latin1', 4, 4 + length);
  return /^[\x21-\x7e]+$/.test(type) ? type : '';
};

const keyOf = (text: string, line: number, name: string): KnownKey[] => {
  const fields = text.trim().split(/[ \t]+/);
  const marked = fields[0]?.startsWith('@') === true ? fields.shift() : undefined;
  const [hosts = '', type = '', encoded = ''] = fields;
  if (hosts === '' || hosts.startsWith('#') || encoded === '') return [];
  if (marked !== undefined && marked !== '@revoked' && marked !== '@cert-authority') return [];
  const key = Buffer.from(encoded, 'base64');
  if (keyTypeOf(key) !== type || !isMatch(hosts, name)) return [];
  return [{ line, type, key, marker: marked === undefined ? undefined : marked === '@revoked' ? 'revoked' : 'cert-authority' }];
};

const isMatch = (hosts: string, name: string): boolean => {
  if (hosts.startsWith('|1|')) return isHashed(hosts, name);
  const patterns = hosts.toLowerCase().split(',');
  const isHit = (pattern: string): boolean => matches(pattern, name);
  return (
    patterns.some((each) => !each.startsWith('!') && isHit(each)) && !patterns.some((each) => each.startsWith('!') && isHit(each.slice(1)))
  );
};

const isHashed = (hashed: string, name: string): boolean => {
  const [, , salt = '', digest = ''] = hashed.split('|');
  const expected = Buffer.from(digest, 'base64');
  const found = createHmac('sha1', Buffer.from(salt, 'base64')).update(name).digest();
  return expected.length === found.length && timingSafeEqual(expected, found);
};

/** `*` and `?`, with one place to go back to: a file of patterns cannot make it slow. */
const matches = (pattern: string, name: string): boolean => {
  let [at, star, mark] = [0, -1, 0];
  for (let n = 0; n < name.length; ) {
    const wanted = pattern[at];
    if (wanted === '*') {
      star = at++;
      mark = n;
    } else if (wanted === '?' || wanted === name[n]) {
      at += 1;
      n += 1;
    } else if (star >= 0) {
      at = star + 1;
      mark += 1;
      n = mark;
    } else return false;
  }
  return /^\**$/.test(pattern.slice(at));
};
