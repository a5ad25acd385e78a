import type { ConnectionType } from '../../core/ports/connections.ts';

/** How something on a connection is written as a location; null is the caller's default connection of that kind. */
export const remoteLocation = (type: ConnectionType, connection: string | null, path: string): string =>
  `${type}${connection === null ? '' : `+${connection}`}://${path}`;

/** Where a slash in front means the top of the machine; elsewhere it is the top of the connection anyhow. */
const WITH_TOP: ReadonlySet<ConnectionType> = new Set(['sftp', 'ftp']);

/**
 * A path as its users write it, as locations have it: `.` is where the login leads, `./a` and `a/` are `a`, and on Windows shares both
 * slashes part names. What would climb is refused by whoever reads the location.
 */
export const plainPath = (type: ConnectionType, written: string): string => {
  const slashed = type === 'smb' ? written.replaceAll('\\', '/') : written;
  const top = WITH_TOP.has(type) && slashed.startsWith('/') ? '/' : '';
  const names = slashed.split('/').filter((name) => name !== '' && name !== '.');
  return `${top}${names.join('/')}`;
};
