import { createGate } from '../access/gate.ts';
import { CancelledException } from '../core/errors.ts';
import type { Doorway, OpenDoor } from '../servers/door.ts';
import { type HttpServerOptions, openHttpServer } from '../servers/http/listener.ts';
import { openApiRoute } from '../servers/http/openapi/route.ts';
import type { Route } from '../servers/http/route.ts';
import { actionRoutes } from '../servers/http/routes/actions.ts';
import { catalogueRoutes } from '../servers/http/routes/catalogue.ts';
import { healthRoutes } from '../servers/http/routes/health.ts';
import { openProgressFeed } from '../servers/http/routes/progress.ts';
import { DEFAULT_LIMITS, type Limits } from '../servers/limits.ts';
import { createTurnstile } from '../servers/turnstile.ts';
import { type AccessOptions, credentialsOf, remoteOwner } from './callers.ts';
import type { Factotum } from './create.ts';
import { loadListing } from './listing.ts';
import { VERSION } from './version.generated.ts';

/** Where a door listens. */
export type Place = Omit<HttpServerOptions, 'doorway' | 'routes' | 'demandSecret'>;

export interface ServiceOptions extends AccessOptions {
  readonly http?: Partial<Place> | undefined;
  readonly limits?: Partial<Limits> | undefined;
  /** How long lists may go on after the service was told to stop. */
  readonly drainMs?: number;
  /** Refuse to be reachable from other machines without a secret; a program that calls the library is only warned. */
  readonly demandSecret?: boolean;
}

/** The open doors of an instance. */
export interface Service extends AsyncDisposable {
  readonly http: OpenDoor;
  /** Takes no more lists, gives what runs a few seconds, cancels the rest, closes the doors. The instance stays. */
  close(): Promise<void>;
}

export const DEFAULT_HTTP_PORT = 9944;
/** All in all a service stops within five seconds. */
const DRAIN_MS = 4_000;

/** Opens the network doors of an instance. */
export const openService = async (factotum: Factotum, options: ServiceOptions = {}): Promise<Service> => {
  const { registry, progress, masker, log } = factotum;
  const limits: Limits = { ...DEFAULT_LIMITS, ...options.limits };
  const credentials = credentialsOf(options);
  for (const { secret } of credentials) masker.learn(secret);
  const stopping = new AbortController();
  const turnstile = createTurnstile({ inFlight: limits.inFlight, requestsPerMinute: limits.requestsPerMinute });
  const doorway: Doorway = {
    gateway: {
      run: (request, call) => {
        if (call.signal === undefined) return factotum.gateway.run(request, { ...call, signal: stopping.signal });
        const either = eitherOf(call.signal, stopping.signal);
        return factotum.gateway.run(request, { ...call, signal: either.signal }).finally(either.forget);
      },
      inspect: factotum.gateway.inspect,
    },
    masker,
    log,
    gate: createGate({ credentials, stranger: remoteOwner(options), wrongPerMinute: limits.wrongSecretsPerMinute }),
    turnstile,
    limits,
  };
  const feed = await openProgressFeed({ progress, registry, masker });
  const routes: readonly Route[] = [
    ...actionRoutes(doorway),
    ...catalogueRoutes({ registry, loadDefs: async () => (await loadListing()).$defs }),
    openApiRoute({ loadListing, version: VERSION }),
    ...healthRoutes({ registry, turnstile }),
    ...feed.routes,
  ];
  const http = await openHttpServer({
    host: '127.0.0.1',
    port: DEFAULT_HTTP_PORT,
    ...options.http,
    doorway,
    routes,
    demandSecret: options.demandSecret ?? false,
  });

  const close = async () => {
    const patience = setTimeout(() => stopping.abort(new CancelledException('The service stops.')), options.drainMs ?? DRAIN_MS);
    await turnstile.drain();
    clearTimeout(patience);
    feed.close();
    await http.close();
  };
  return { http, close, [Symbol.asyncDispose]: close };
};

/** Aborts with the first of two; `forget` leaves nothing behind on the one that lives longer. */
const eitherOf = (one: AbortSignal, other: AbortSignal) => {
  const controller = new AbortController();
  const abort = () => controller.abort(one.aborted ? one.reason : other.reason);
  if (one.aborted || other.aborted) abort();
  one.addEventListener('abort', abort, { once: true });
  other.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    forget() {
      one.removeEventListener('abort', abort);
      other.removeEventListener('abort', abort);
    },
  };
};
