import type { Registry } from '../../../core/registry.ts';
import type { Turnstile } from '../../turnstile.ts';
import type { Answer, Route } from '../route.ts';

export interface Readiness {
  readonly registry: Registry;
  readonly turnstile: Turnstile;
  /** What keeps the service from working, if anything: `store: disk full`. */
  readonly trouble?: () => Promise<string | undefined>;
}

/** `GET /healthz`: the process lives. `GET /readyz`: it can take lists. */
export const healthRoutes = ({ registry, turnstile, trouble }: Readiness): readonly Route[] => {
  const reason = async (): Promise<string | undefined> => {
    if (turnstile.draining) return 'draining';
    if (registry.size === 0) return 'registry empty';
    return trouble?.();
  };
  const readiness = async (): Promise<Answer> => {
    const found = await reason();
    const { fullShares } = turnstile; // a number: names of callers are not for strangers
    return found === undefined
      ? { status: 200, json: { status: 'ready', actions: registry.size, ...(fullShares > 0 && { full_shares: fullShares }) } }
      : { status: 503, json: { status: 'not_ready', reason: found } };
  };
  return [
    { method: 'GET', path: '/healthz', open: true, handle: () => ({ status: 200, json: { status: 'ok' } }) },
    { method: 'GET', path: '/readyz', open: true, handle: readiness },
  ];
};
