/** `[connections.NAME]` of the type `s3`; files are given by their contents. */
export interface S3Settings {
  readonly aws_access_key_id?: string | undefined;
  readonly aws_secret_access_key?: string | undefined;
  readonly aws_session_token?: string | undefined;
  /** Requests are not signed. */
  readonly anonymous?: boolean | undefined;
  readonly region_name?: string | undefined;
  readonly endpoint_url?: string | undefined;
  /** Whether the bucket stands in the path or in front of the host; `auto` takes the host at Amazon only. */
  readonly addressing?: 'auto' | 'path' | 'virtual' | undefined;
  /** The digest that the server compares and keeps; left out, `sha256` at Amazon and `md5` elsewhere. */
  readonly checksum?: 'sha256' | 'md5' | 'none' | undefined;
  /** Whether the server honours `If-None-Match: *`; left out, at Amazon only. */
  readonly exclusive_writes?: boolean | undefined;
  /** Certificates of authorities, as PEM. */
  readonly ca?: string | undefined;
  readonly verify_tls?: boolean | undefined;
  /** Seconds. */
  readonly timeout?: number | undefined;
}
