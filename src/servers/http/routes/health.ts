import type { Caller } from '../../../access/caller.ts';
import type { Shares } from '../../../access/shares.ts';
import { OWNER_NAME } from '../../../core/reach.ts';
import type { Registry } from '../../../core/registry.ts';
import type { Turnstile } from '../../turnstile.ts';
import type { Answer, Exchange, Route } from '../route.ts';

export interface Readiness {
  readonly registry: Registry;
  readonly turnstile: Turnstile;
  /** What callers have of what is no affair of the doors. */
  readonly shares?: Pick<Shares, 'usedUp'>;
  /** What keeps the service from working, if anything: `store: disk full`. */
  readonly trouble?: () => Promise<string | undefined>;
}

/** `GET /healthz`: the process lives. `GET /readyz`: it can take lists. */
export const healthRoutes = ({ registry, turnstile, shares, trouble }: Readiness): readonly Route[] => {
  const reason = async (): Promise<string | undefined> => {
    if (turnstile.draining) return 'draining';
    if (registry.size === 0) return 'registry empty';
    return trouble?.();
  };
  /** Strangers hear how many; names are for the owner, and a caller hears of its own. */
  const fullShares = ({ name }: Caller): object => {
    const all = [...turnstile.usedUp(), ...(shares?.usedUp() ?? [])];
    const known = all.filter(({ caller }) => name === OWNER_NAME || name === caller);
    return {
      ...(all.length > 0 && { full_shares: all.length }),
      ...(known.length > 0 && { used_up: known.map(({ caller, key }) => ({ caller, limit: key })) }),
    };
  };
  const readiness = async ({ caller }: Exchange): Promise<Answer> => {
    const found = await reason();
    return found === undefined
      ? { status: 200, json: { status: 'ready', actions: registry.size, ...fullShares(caller) } }
      : { status: 503, json: { status: 'not_ready', reason: found } };
  };
  return [
    { method: 'GET', path: '/healthz', open: true, handle: () => ({ status: 200, json: { status: 'ok' } }) },
    { method: 'GET', path: '/readyz', open: true, asksWho: true, handle: readiness },
  ];
};
