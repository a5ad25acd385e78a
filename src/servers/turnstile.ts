import type { Caller } from '../access/caller.ts';

/** Both are asked for whenever somebody comes, so they may change. */
export interface TurnstileOptions {
  readonly inFlight: number;
  /** Of one caller; 0 is no limit. */
  readonly requestsPerMinute: number;
}

/** Why a request has to wait. */
export interface Wait {
  readonly reason: 'draining' | 'busy' | 'rate';
  readonly retryAfterS: number;
}

/** Counts the lists under way through all doors of a service, and stops new ones when it closes. */
export interface Turnstile {
  /** Undefined: come in, and `leave` when done. */
  enter(caller: Caller): Wait | undefined;
  leave(): void;
  readonly inFlight: number;
  readonly draining: boolean;
  /** Lets nobody in any more; resolves once the last one has left. */
  drain(): Promise<void>;
}

const MINUTE_MS = 60_000;

export const createTurnstile = (limits: TurnstileOptions): Turnstile => {
  const windows = new Map<string, { since: number; count: number }>();
  const waiting: (() => void)[] = [];
  let inFlight = 0;
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

  return {
    enter(caller) {
      if (draining) return { reason: 'draining', retryAfterS: 5 };
      if (inFlight >= limits.inFlight) return { reason: 'busy', retryAfterS: 1 };
      const wait = limits.requestsPerMinute > 0 ? overRate(caller) : undefined;
      if (wait === undefined) inFlight += 1;
      return wait;
    },
    leave() {
      inFlight -= 1;
      if (inFlight === 0) for (const done of waiting.splice(0)) done();
    },
    get inFlight() {
      return inFlight;
    },
    get draining() {
      return draining;
    },
    drain() {
      draining = true;
      return inFlight === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve));
    },
  };
};
