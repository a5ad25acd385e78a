import { hash, timingSafeEqual } from 'node:crypto';
import type { Caller } from './caller.ts';

/** A secret and whom it stands for. */
export interface Credential {
  readonly secret: string;
  readonly caller: Caller;
  /** What the caller may do, in words that change with it, and how to stop what it has under way. */
  readonly rights?: { readonly text: string; revoke(): void };
}

export interface GateOptions {
  /** Who may come in. Without any, everybody who reaches the door is `stranger`. */
  readonly credentials: readonly Credential[];
  /** Who callers are where no secret is set. */
  readonly stranger: Caller;
  /** Wrong secrets of one address in a minute before further wrong ones are turned away unanswered. */
  readonly wrongPerMinute?: number;
  /** A clock that nobody sets back. */
  readonly now?: () => number;
}

/** What the gate says to somebody. */
export type Admission =
  | { readonly caller: Caller }
  | { readonly refused: 'missing' | 'wrong' }
  | { readonly refused: 'too-many'; readonly retryAfterS: number };

/** Tells callers apart by what they present. A right secret always passes, however many wrong ones came before. */
export interface Gate {
  /** True where a secret is demanded. */
  readonly locked: boolean;
  identify(presented: string | undefined, address: string): Admission;
  /** Who a caller that was let in is by now; undefined once its secret counts no more. Left out where secrets do not change. */
  standing?(caller: Caller): Caller | undefined;
  /** Calls back after secrets were exchanged; answers how to stop that. Left out where they are not. */
  onReplaced?(listener: () => void): () => void;
}

const MINUTE_MS = 60_000;
/** Addresses remembered at once; an attacker with more of them is not slowed by forgetting. */
const MAX_ADDRESSES = 10_000;

export const createGate = ({ credentials, stranger, wrongPerMinute = 10, now = () => performance.now() }: GateOptions): Gate => {
  const known = credentials.map(({ secret, caller }) => ({ digest: digestOf(secret), caller }));
  const wrong = new Map<string, { count: number; since: number }>();

  const countWrong = (address: string): Admission => {
    const at = now();
    let met = wrong.get(address);
    if (met === undefined || at - met.since >= MINUTE_MS) {
      if (wrong.size >= MAX_ADDRESSES) wrong.clear();
      met = { count: 0, since: at };
      wrong.set(address, met);
    }
    met.count += 1;
    if (met.count <= wrongPerMinute) return { refused: 'wrong' };
    return { refused: 'too-many', retryAfterS: Math.ceil((met.since + MINUTE_MS - at) / 1000) };
  };

  return {
    locked: known.length > 0,
    identify(presented, address) {
      if (known.length === 0) return { caller: stranger };
      if (presented === undefined) return { refused: 'missing' };
      const digest = digestOf(presented);
      // Every secret is compared, so that time tells nothing about which one was near.
      let caller: Caller | undefined;
      for (const each of known) if (timingSafeEqual(digest, each.digest)) caller = each.caller;
      return caller === undefined ? countWrong(address) : { caller };
    },
  };
};

const digestOf = (secret: string): Buffer => hash('sha256', secret, 'buffer');
