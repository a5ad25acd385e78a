import { isLoopback } from '../../access/bind.ts';
import type { Masker } from '../../access/mask.ts';
import type { MetricsText } from '../../core/ports.ts';

const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export interface MetricsRouteOptions {
  readonly metrics: MetricsText;
  readonly masker: Masker;
  /** The address of the door: on loopback collectors need no secret. */
  readonly host: string;
}

/** `GET /metrics` as a route for an HTTP door: that of the actions, or one that has no other route. */
export const metricsRoute = ({ metrics, masker, host }: MetricsRouteOptions) =>
  ({
    method: 'GET',
    path: '/metrics',
    open: isLoopback(host),
    handle: async () => ({ status: 200, text: { type: CONTENT_TYPE, content: masker.knownText(await metrics.render()) } }),
  }) as const;
