import type { Caller } from '../access/caller.ts';
import type { UsedUpShare } from '../access/shares.ts';
import { SHARES, type ShareName } from '../core/caller-limits.ts';
import { OWNER_NAME } from '../core/reach.ts';

/** Both are asked for whenever somebody comes, so they may change. */
export interface TurnstileOptions {
  readonly inFlight: number;
  /** Of one caller; 0 is no limit. */
  readonly requestsPerMinute: number;
}

/** Why a request has to wait. */
export interface Wait {
  /** `busy`: everybody together has too much under way; `share`: this caller has. */
  readonly reason: 'draining' | 'busy' | 'share' | 'rate';
  readonly retryAfterS: number;
  /** Of which share the caller has too much. */
  readonly share?: ShareName;
}

/**
 * Counts the lists under way through all doors of a service, and stops new ones when it closes. Every caller has a share of its own, and
 * an eighth of all places is kept for the owner, so that nobody can shut out anybody but himself.
 */
export interface Turnstile {
  /** Undefined: come in, and `leave` when done. */
  enter(caller: Caller): Wait | undefined;
  leave(caller: Caller): void;
  /** Counts bytes that wait in memory for a caller: of a request that is arriving, of an answer that nobody takes. False: too many. */
  hold(caller: Caller, bytes: number): boolean;
  release(caller: Caller, bytes: number): void;
  readonly inFlight: number;
  /** The shares that are used up right now. */
  usedUp(): readonly UsedUpShare[];
  readonly draining: boolean;
  /** Lets nobody in any more; resolves once the last one has left. */
  drain(): Promise<void>;
}

/** What one caller has of a service. */
interface Share {
  readonly most: { readonly inFlight: number; readonly heldBytes: number };
  inFlight: number;
  heldBytes: number;
}

const MINUTE_MS = 60_000;
/** Of all places one in so many is the owner's. */
export const OWNERS_PART = 8;

export const createTurnstile = (limits: TurnstileOptions): Turnstile => {
  const windows = new Map<string, { since: number; count: number }>();
  /** By name: a caller that comes with two secrets, or through two doors, is one. Those with nothing under way are forgotten. */
  const shares = new Map<string, Share>();
  const waiting: (() => void)[] = [];
  let inFlight = 0;
  let limited = 0;
  let draining = false;

  const overRate = ({ name }: Caller): Wait | undefined => {
    const at = performance.now(); // the clock of the machine may be set back
    let window = windows.get(name);
    if (window === undefined || at - window.since >= MINUTE_MS) {
      window = { since: at, count: 0 };
      windows.set(name, window);
    }
    window.count += 1;
    if (window.count <= limits.requestsPerMinute) return undefined;
    return { reason: 'rate', retryAfterS: Math.ceil((window.since + MINUTE_MS - at) / 1000) };
  };

  const shareOf = ({ name, policy }: Caller): Share => {
    let share = shares.get(name);
    if (share === undefined) {
      share = {
        most: { inFlight: policy?.maxInFlight ?? SHARES.maxInFlight.usual, heldBytes: policy?.maxHeldBytes ?? SHARES.maxHeldBytes.usual },
        inFlight: 0,
        heldBytes: 0,
      };
      shares.set(name, share);
    }
    return share;
  };
  const forgetEmpty = (name: string, share: Share) => {
    if (share.inFlight === 0 && share.heldBytes === 0) shares.delete(name);
  };

  const overShare = (caller: Caller): Wait | undefined => {
    if (limited >= limits.inFlight - Math.floor(limits.inFlight / OWNERS_PART)) return BUSY;
    const { most, inFlight, heldBytes } = shareOf(caller);
    if (inFlight >= most.inFlight) return SHARE_WAITS.maxInFlight;
    return heldBytes >= most.heldBytes ? SHARE_WAITS.maxHeldBytes : undefined;
  };

  return {
    enter(caller) {
      if (draining) return DRAINING;
      if (inFlight >= limits.inFlight) return BUSY;
      const isLimited = caller.name !== OWNER_NAME;
      const wait = (isLimited ? overShare(caller) : undefined) ?? (limits.requestsPerMinute > 0 ? overRate(caller) : undefined);
      if (wait !== undefined) return wait;
      inFlight += 1;
      if (isLimited) {
        limited += 1;
        shareOf(caller).inFlight += 1;
      }
      return undefined;
    },
    leave(caller) {
      inFlight -= 1;
      if (caller.name !== OWNER_NAME) {
        limited -= 1;
        const share = shareOf(caller);
        share.inFlight -= 1;
        forgetEmpty(caller.name, share);
      }
      if (inFlight === 0 && waiting.length > 0) for (const done of waiting.splice(0)) done();
    },
    hold(caller, bytes) {
      if (caller.name === OWNER_NAME) return true;
      const share = shareOf(caller);
      // Something of any size may be held alone: how large one thing may be is for others to say.
      if (share.heldBytes > 0 && share.heldBytes + bytes > share.most.heldBytes) return false;
      share.heldBytes += bytes;
      return true;
    },
    release(caller, bytes) {
      if (caller.name === OWNER_NAME) return;
      const share = shareOf(caller);
      share.heldBytes -= bytes;
      forgetEmpty(caller.name, share);
    },
    get inFlight() {
      return inFlight;
    },
    usedUp: () => [...shares].flatMap(([caller, share]) => fullOf(share).map((name) => ({ caller, key: SHARES[name].key }))),
    get draining() {
      return draining;
    },
    drain() {
      draining = true;
      return inFlight === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve));
    },
  };
};

/** Which shares of a caller are used up. */
const fullOf = ({ most, inFlight, heldBytes }: Share): readonly ShareName[] => [
  ...(inFlight >= most.inFlight ? (['maxInFlight'] as const) : []),
  ...(heldBytes >= most.heldBytes ? (['maxHeldBytes'] as const) : []),
];

const DRAINING: Wait = { reason: 'draining', retryAfterS: 5 };
const BUSY: Wait = { reason: 'busy', retryAfterS: 1 };
/** What is said of a share that is used up. */
export const SHARE_WAITS = {
  maxInFlight: { reason: 'share', retryAfterS: 1, share: 'maxInFlight' },
  maxHeldBytes: { reason: 'share', retryAfterS: 1, share: 'maxHeldBytes' },
  maxStreams: { reason: 'share', retryAfterS: 1, share: 'maxStreams' },
} as const satisfies Partial<Record<ShareName, Wait>>;
