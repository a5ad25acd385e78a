import { OWNER_NAME } from '../core/reach.ts';
import type { ActionACL } from './acl.ts';
import type { Policy } from './policy.ts';

/** Who asks. The owner has neither access list nor policy and may do everything. */
export interface Caller {
  readonly name: string;
  readonly acl?: ActionACL;
  readonly policy?: Policy;
  /** Came over a network: programs get a bare environment, answers are masked. */
  readonly remote: boolean;
}

/** The user at the keyboard, or the program that embeds the library. */
export const OWNER: Caller = { name: OWNER_NAME, remote: false };
