import type { Gate } from '../access/gate.ts';
import type { Masker } from '../access/mask.ts';
import type { Log } from '../core/ports.ts';
import type { Gateway } from '../pipeline/gateway.ts';
import type { Limits } from './limits.ts';
import type { Turnstile } from './turnstile.ts';

/** What every server stands on: it turns bytes into a request and a caller, and the result into bytes. */
export interface Doorway {
  readonly gateway: Gateway;
  readonly masker: Masker;
  readonly log: Log;
  readonly gate: Gate;
  readonly turnstile: Turnstile;
  readonly limits: Limits;
}
