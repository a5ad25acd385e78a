import { ArgumentException } from '../../core/errors.ts';
import { faultOfPath } from './storage-path.ts';

/** The kinds of storage, as locations begin. */
export const SCHEMES = [
  'local',
  's3',
  'azure',
  'sftp',
  'ftp',
  'webdav',
  'smb',
  'drive',
  'dropbox',
  'onedrive',
  'box',
  'http',
  'https',
  'mem',
  'fs',
] as const;

export type Scheme = (typeof SCHEMES)[number];

const ALIASES: ReadonlyMap<string, Scheme> = new Map([
  ['az', 'azure'],
  ['ftps', 'ftp'],
  ['webdavs', 'webdav'],
]);

/** What has no connection: the place itself says everything. */
export const WITHOUT_CONNECTION: ReadonlySet<Scheme> = new Set(['local', 'http', 'https', 'mem']);
/** Where a slash behind `://` means the top of the machine. */
const WITH_TOP: ReadonlySet<Scheme> = new Set(['local', 'sftp', 'ftp']);

/** A place that is written as `scheme://path` or `scheme+connection://path`; a bare path is a place on this machine. */
export interface Location {
  readonly scheme: Scheme;
  /** The name in `[connections]`; undefined means the caller's default of the scheme. */
  readonly connection: string | undefined;
  /** Taken literally: nothing in it is decoded. Of `http` the whole URL. */
  readonly path: string;
  /** It was written with a slash at its end. */
  readonly isDirectory: boolean;
}

const WRITTEN = /^([A-Za-z][A-Za-z0-9]*)(?:\+([^:/]*))?:\/\/(.*)$/s;
const CONNECTION = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
/** What can only be a password, also where a connection has said which machine is meant. */
const LOOKS_LIKE_SECRET = /^[^/]*:[^/]*@/;
/** A machine, user or password where the first name of the path belongs. */
const LOOKS_LIKE_HOST = /^(?:[^/]*:[^/]*@|[^/@]+@(?:localhost|\[|[^/]*\.)|[^/@]*:\d{1,5}(?:\/|$)|\[[0-9a-fA-F:]+\])/;

/** Reads a location; refuses what would mean something else than it says. */
export const parseLocation = (written: string): Location => {
  const [, before, connection, rest = ''] = WRITTEN.exec(written) ?? [];
  if (before === undefined) return { scheme: 'local', connection: undefined, path: written, isDirectory: written.endsWith('/') };
  const scheme = schemeOf(before, written);
  if (connection !== undefined) demandConnection(scheme, connection, written);
  if (scheme === 'http' || scheme === 'https') return { scheme, connection: undefined, path: written, isDirectory: false };
  if (scheme !== 'local' && (connection === undefined ? LOOKS_LIKE_HOST : LOOKS_LIKE_SECRET).test(rest)) {
    throw refusal(written, `names a machine or a user; put those into [connections.NAME] and write ${scheme}+NAME://path`);
  }
  const isDirectory = rest.endsWith('/');
  const top = WITH_TOP.has(scheme) && rest.startsWith('/') ? '/' : '';
  const inner = rest.slice(top.length, isDirectory && rest.length > top.length ? -1 : undefined);
  const fault = faultOfPath(inner);
  if (fault !== undefined) throw refusal(written, `${fault}; write the path plainly`);
  return { scheme, connection, path: `${top}${inner}`, isDirectory };
};

/** The location as a text that `parseLocation` reads as the same one. */
export const formatLocation = ({ scheme, connection, path }: Pick<Location, 'scheme' | 'connection' | 'path'>): string => {
  if (scheme === 'http' || scheme === 'https') return path;
  return `${scheme}${connection === undefined ? '' : `+${connection}`}://${path}`;
};

const schemeOf = (before: string, written: string): Scheme => {
  const found = ALIASES.get(before) ?? SCHEMES.find((scheme) => scheme === before);
  if (found !== undefined) return found;
  const lower = before.toLowerCase();
  if (lower === 'file') throw refusal(written, 'has a scheme that is not known; write the path alone, or local:///path');
  if (lower !== before && (ALIASES.has(lower) || SCHEMES.some((scheme) => scheme === lower))) {
    throw refusal(written, `has a scheme in capitals; write ${lower}://`);
  }
  throw refusal(written, `has a scheme that is not known; known are ${SCHEMES.join(', ')}`);
};

const demandConnection = (scheme: Scheme, connection: string, written: string): void => {
  if (WITHOUT_CONNECTION.has(scheme)) throw refusal(written, `names a connection, which ${scheme} has not; write ${scheme}://path`);
  if (!CONNECTION.test(connection)) {
    throw refusal(written, `has a connection name that is not one; write ${scheme}+NAME:// with letters, digits, - and _`);
  }
};

const MAX_SHOWN = 200;

const refusal = (written: string, why: string): ArgumentException => {
  const shown = maskUser(written)
    .slice(0, MAX_SHOWN)
    .replace(/\p{Surrogate}/gu, '\uFFFD');
  return new ArgumentException(`The location ${JSON.stringify(shown)} ${why}.`, { context: { location: shown } });
};

/** Whoever writes a password into a location shall not find it in a log. */
const maskUser = (written: string): string => written.replace(/:\/\/[^/]*@/s, '://***@');
