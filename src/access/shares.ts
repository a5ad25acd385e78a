import { SHARES, type ShareLimits, type ShareName } from '../core/caller-limits.ts';
import { QuotaExceededException } from '../core/errors.ts';
import { OWNER_NAME } from '../core/reach.ts';

/** Somebody who has shares: a caller, or the name of one with its limits. */
export interface Sharer {
  readonly name: string;
  readonly policy?: ShareLimits | undefined;
}

/** A share of which nothing is left. */
export interface UsedUpShare {
  readonly caller: string;
  /** What the configuration calls it. */
  readonly key: string;
}

/** What callers have of what all of them share. Nothing of it is refused to the owner. */
export interface Shares {
  /** Counts one more until what it answers is called; throws `QuotaExceededException` where the caller has as many as it may. */
  take(caller: Sharer, share: ShareName): () => void;
  /** The same for what is counted elsewhere: `used` is what the caller has, `more` what it wants beside that. */
  demand(caller: Sharer, share: ShareName, used: number, more?: number): void;
  /** The shares that are used up now, and those of which something was refused a short time ago. */
  usedUp(): readonly UsedUpShare[];
}

/** How long a refusal counts as news. */
const NEWS_MS = 60_000;

export const createShares = (monotonic: () => number): Shares => {
  /** By share and caller; what nobody has is forgotten. */
  const counts = new Map<string, { readonly caller: string; readonly share: ShareName; count: number; readonly most: number }>();
  const refusals = new Map<string, UsedUpShare & { readonly at: number }>();

  const refuse = (caller: string, share: ShareName, most: number): QuotaExceededException => {
    const { key } = SHARES[share];
    for (const [name, { at }] of refusals) if (monotonic() - at > NEWS_MS) refusals.delete(name);
    refusals.set(`${share}/${caller}`, { caller, key, at: monotonic() });
    return usedUp(share, most);
  };

  return {
    take({ name: caller, policy }, share) {
      if (caller === OWNER_NAME) return NOTHING;
      const most = mostOf(policy, share);
      const name = `${share}/${caller}`;
      const entry = counts.get(name) ?? { caller, share, count: 0, most };
      if (entry.count >= most) throw refuse(caller, share, most);
      counts.set(name, entry);
      entry.count += 1;
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        entry.count -= 1;
        if (entry.count === 0) counts.delete(name);
      };
    },
    demand({ name, policy }, share, used, more = 1) {
      if (name === OWNER_NAME) return;
      const most = mostOf(policy, share);
      if (used + more > most) throw refuse(name, share, most);
    },
    usedUp() {
      const full = [...counts.values()].filter(({ count, most }) => count >= most);
      const refused = [...refusals.values()].filter(({ at }) => monotonic() - at <= NEWS_MS);
      const all = [...full.map(({ caller, share }) => ({ caller, key: SHARES[share].key })), ...refused];
      return [...new Map(all.map(({ caller, key }) => [`${key}/${caller}`, { caller, key }])).values()];
    },
  };
};

const NOTHING = (): void => {};

const mostOf = (policy: ShareLimits | undefined, share: ShareName): number => policy?.[share] ?? SHARES[share].usual;

/** What a caller hears of a share that it has used up. */
export const wordsOf = (share: ShareName): string => {
  const { what, remedy } = WORDS[share];
  return `This caller has ${what} and gets no more now; ${remedy}, or have the owner raise ${SHARES[share].key}.`;
};

const usedUp = (share: ShareName, most: number): QuotaExceededException => {
  const { key, per = 1 }: { readonly key: string; readonly per?: number } = SHARES[share];
  return new QuotaExceededException(wordsOf(share), { context: { limit: key, [key]: Math.floor(most / per) }, retryable: true });
};

/** What a caller has too much of, and what it can do itself. */
const WORDS: { readonly [Name in ShareName]: { readonly what: string; readonly remedy: string } } = {
  maxInFlight: { what: 'as many requests under way as it may', remedy: 'wait until some are answered' },
  maxHeldBytes: { what: 'as many bytes in memory as it may', remedy: 'read the answers' },
  maxStreams: { what: 'as many streams open as it may', remedy: 'close some' },
  maxBackground: { what: 'as many lists in the background as it may', remedy: 'wait until some have ended' },
  maxQueued: { what: 'as many lists in the queue as it may', remedy: 'wait until some have run' },
  maxChildren: { what: 'as many programs running as it may', remedy: 'run fewer at once' },
  maxWatchers: { what: 'as many watchers and monitors as it may', remedy: 'stop one' },
  maxSchedules: { what: 'as many scheduled jobs as it may', remedy: 'remove one' },
  maxNames: {
    what: 'as many names of breakers and rate limits as it may',
    remedy: 'use names again or reset breakers with FA_circuit_reset',
  },
  maxStoredBytes: { what: 'as many bytes in the store as it may', remedy: 'wait until runs of its own have ended, send shorter lists' },
};
