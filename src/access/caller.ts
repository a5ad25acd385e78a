import { OWNER_NAME } from '../core/reach.ts';
import type { StopSignal } from '../lib/async/stop-signal.ts';
import type { ActionACL } from './acl.ts';
import type { Policy } from './policy.ts';

/** Who asks. The owner has neither access list nor policy and may do everything. */
export interface Caller {
  readonly name: string;
  readonly acl?: ActionACL;
  readonly policy?: Policy;
  /** Came over a network: programs get a bare environment, answers are masked. */
  readonly remote: boolean;
  /** Stops what it has under way once its rights are changed or taken away; left out where they cannot be. */
  readonly revoked?: StopSignal;
}

/** The user at the keyboard, or the program that embeds the library. */
export const OWNER: Caller = { name: OWNER_NAME, remote: false };
