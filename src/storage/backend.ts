import type { Clock } from '../core/ports.ts';
import type { AddressRules } from '../lib/net/judge-url.ts';
import type { Network } from '../lib/net/network.ts';

/**
 * What a backend is given beside the settings of its connection. Settings hold contents, never paths: files with keys, known hosts and
 * authorities are read by whoever opens the connection, under the rights of its owner.
 */
export interface BackendWorld {
  /** How the top of the connection is written, without its last slash: `sftp+nas:/`, so that a slash and a path make a location. */
  readonly location: string;
  /** The only way to other machines. */
  readonly network: Network;
  /** Which addresses may be reached: the owner's connections may lie in private networks, those of other callers may not. */
  readonly rules: AddressRules;
  readonly clock: Pick<Clock, 'now'>;
}
