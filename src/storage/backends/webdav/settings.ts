/** The keys of `[connections.NAME]` with `type = "webdav"`; files are contents here. */
export interface WebdavSettings {
  readonly base_url: string;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  /** Sent as it is, instead of a name and a password. */
  readonly token?: string | undefined;
  readonly verify_tls?: boolean | undefined;
  /** Certificates of authorities to trust instead of those of the system, as PEM. */
  readonly ca?: string | undefined;
  /** Seconds. */
  readonly timeout?: number | undefined;
}
