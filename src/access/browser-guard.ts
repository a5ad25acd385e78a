/** The parts of a request that a browser cannot forge, as they came. */
export interface RequestHead {
  /** Names and values in turn, every repetition kept. */
  readonly rawHeaders: readonly string[];
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined };
}

/** What a door calls itself. */
export interface OwnNames {
  /** `127.0.0.1:9944` and the other spellings, in lower case. */
  readonly hosts: ReadonlySet<string>;
  readonly scheme: 'http' | 'https';
  /** Foreign origins that were let in by name. */
  readonly origins: ReadonlySet<string>;
}

/** Why a request is turned away before its body is read. */
export interface Refusal {
  readonly status: 400 | 403;
  readonly kind: string;
  readonly detail: string;
}

/** Headers that decide something; two of them would mean whatever the reader likes. */
const SINGLE: ReadonlyMap<string, number> = new Map(
  ['host', 'authorization', 'origin', 'content-type', 'content-encoding', 'sec-fetch-site'].map((name, at) => [name, 1 << at]),
);

/**
 * Loopback is not a wall: pages in the user's browser reach it, and names can be made to lead to it. So a request must name this door,
 * and where a browser says whose page it came from, that page must be our own.
 */
export const judgeBrowser = ({ rawHeaders, headers }: RequestHead, own: OwnNames): Refusal | undefined => {
  const doubled = findDoubled(rawHeaders);
  if (doubled !== undefined) return { status: 400, kind: 'doubled-header', detail: `The header ${doubled} came twice; send it once.` };
  const host = text(headers.host)?.toLowerCase();
  if (host === undefined) return { status: 400, kind: 'no-host', detail: 'The request names no host; send a Host header.' };
  if (!own.hosts.has(host)) {
    return { status: 403, kind: 'foreign-host', detail: 'The request names another host; use the address that the server printed.' };
  }
  const origin = text(headers.origin);
  if (origin !== undefined && origin !== `${own.scheme}://${host}` && !own.origins.has(origin)) {
    return { status: 403, kind: 'foreign-origin', detail: 'The request comes from a page of another site.' };
  }
  const site = text(headers['sec-fetch-site']);
  const isForeign = site === 'cross-site' || site === 'same-site';
  if (isForeign && !(origin !== undefined && own.origins.has(origin))) {
    return { status: 403, kind: 'foreign-origin', detail: 'The request comes from a page of another site.' };
  }
  return undefined;
};

const findDoubled = (rawHeaders: readonly string[]): string | undefined => {
  let met = 0; // one bit for each
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase();
    const bit = SINGLE.get(name) ?? 0;
    if ((met & bit) !== 0) return name;
    met |= bit;
  }
  return undefined;
};

const text = (value: string | readonly string[] | undefined): string | undefined => (typeof value === 'object' ? value.join(', ') : value);
