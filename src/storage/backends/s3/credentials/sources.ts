import type { Network } from '../../../../lib/net/network.ts';

/**
 * Where credentials are looked for when a connection has none. Whoever opens a connection hands them in, or not: they are those of the
 * owner of the process.
 */
export interface CredentialSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** The text of a file; undefined where there is none. */
  readText(path: string): Promise<string | undefined>;
  /** The way to the services that hand out credentials; left out, that of this machine. */
  readonly network?: Pick<Network, 'connect'>;
}
