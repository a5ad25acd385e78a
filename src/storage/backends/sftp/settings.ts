/** `[connections.NAME]` with `type = "sftp"`; files are given as their contents. */
export interface SftpSettings {
  readonly host: string;
  readonly port?: number;
  readonly username: string;
  readonly password?: string | undefined;
  /** The private key itself, in the format of OpenSSH or PEM. */
  readonly private_key?: string | undefined;
  readonly passphrase?: string | undefined;
  /** The socket of an agent that holds keys. */
  readonly agent?: string | undefined;
  /** The lines of a `known_hosts` file. A server that is not in it is refused. */
  readonly known_hosts?: string | undefined;
  /** Also speak what is broken or weak, for servers that know nothing else. */
  readonly legacy_algorithms?: boolean;
  /** Seconds that the server may be silent. */
  readonly timeout?: number;
}
