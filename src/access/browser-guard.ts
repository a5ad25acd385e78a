/** The headers of a request that a page in a browser cannot forge, as they came. */
export interface RequestHead {
  readonly host: string | undefined;
  readonly origin: string | undefined;
  /** `Sec-Fetch-Site`. */
  readonly fetchSite: string | undefined;
  /** One that must come only once but came twice. */
  readonly doubled: string | undefined;
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

/**
 * Loopback is not a wall: pages in the user's browser reach it, and names can be made to lead to it. So a request must name this door,
 * and where a browser says whose page it came from, that page must be our own.
 */
export const judgeBrowser = ({ host: named, origin, fetchSite, doubled }: RequestHead, own: OwnNames): Refusal | undefined => {
  if (doubled !== undefined) return { status: 400, kind: 'doubled-header', detail: `The header ${doubled} came twice; send it once.` };
  const host = named?.toLowerCase();
  if (host === undefined) return { status: 400, kind: 'no-host', detail: 'The request names no host; send a Host header.' };
  if (!own.hosts.has(host)) {
    return { status: 403, kind: 'foreign-host', detail: 'The request names another host; use the address that the server printed.' };
  }
  if (origin !== undefined && origin !== `${own.scheme}://${host}` && !own.origins.has(origin)) {
    return { status: 403, kind: 'foreign-origin', detail: 'The request comes from a page of another site.' };
  }
  const isForeign = fetchSite === 'cross-site' || fetchSite === 'same-site';
  if (isForeign && !(origin !== undefined && own.origins.has(origin))) {
    return { status: 403, kind: 'foreign-origin', detail: 'The request comes from a page of another site.' };
  }
  return undefined;
};
