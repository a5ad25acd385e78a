/** `[connections.NAME]` with `type = "ftp"`; files are given as their contents. */
export interface FtpSettings {
  readonly host: string;
  readonly port?: number;
  readonly username?: string;
  readonly password?: string | undefined;
  /** Encrypt, beginning with the command AUTH TLS. */
  readonly tls?: boolean;
  /** Encrypt from the first byte. */
  readonly implicit?: boolean;
  readonly verify_tls?: boolean;
  /** Certificates of authorities to trust instead of those of the system, as PEM. */
  readonly ca?: string | undefined;
  /** False would have the server connect to us, which is refused. */
  readonly passive?: boolean;
  /** Seconds that the server may be silent. */
  readonly timeout?: number;
}
