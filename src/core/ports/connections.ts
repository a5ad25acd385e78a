import type { Json } from '../errors.ts';

/** The kinds of storage that a caller can connect to. */
export type ConnectionType = 's3' | 'azure' | 'sftp' | 'ftp' | 'webdav' | 'smb';

/** What a connection is made with, under the names of `[connections.NAME]`; where those name files, the contents stand here. */
export type ConnectionGiven = Readonly<Record<string, Json | undefined>>;

/**
 * The connections that a caller opens for itself: each is the caller's default of its kind, in this process, until it is closed or was
 * long unused. What it was opened with is kept nowhere else. In a dry run it lasts as long as the plan is made.
 */
export interface OwnConnections {
  /** Connects, and then takes the place of the one before; where it cannot connect, that one stays. */
  open(type: ConnectionType, given: ConnectionGiven): Promise<void>;
  /** Nothing happens where none is open. */
  close(type: ConnectionType): Promise<void>;
}
