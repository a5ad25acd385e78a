import { judgeBind } from '../../access/bind.ts';
import type { Caller } from '../../access/caller.ts';
import { CancelledException } from '../../core/errors.ts';
import type { Runs } from '../../core/ports/runs.ts';
import { followSignals, openStopper } from '../../lib/async/stop-signal.ts';
import { within } from '../../lib/async/within.ts';
import type { Call } from '../../pipeline/gateway.ts';
import type { Doorway } from '../../servers/door.ts';
import { type HttpServerOptions, openHttpServer } from '../../servers/http/listener.ts';
import { openApiRoute } from '../../servers/http/openapi/route.ts';
import type { Route } from '../../servers/http/route.ts';
import { actionRoutes } from '../../servers/http/routes/actions.ts';
import { catalogueRoutes } from '../../servers/http/routes/catalogue.ts';
import { healthRoutes } from '../../servers/http/routes/health.ts';
import { openProgressFeed } from '../../servers/http/routes/progress.ts';
import { runRoutes } from '../../servers/http/routes/runs.ts';
import { DEFAULT_LIMITS, type Limits } from '../../servers/limits.ts';
import { metricsRoute } from '../../servers/metrics/metrics-route.ts';
import type { OpenDoor } from '../../servers/open-door.ts';
import { openTcpServer } from '../../servers/tcp/tcp-server.ts';
import { createTurnstile } from '../../servers/turnstile.ts';
import type { AccessOptions } from '../callers/callers.ts';
import { createDoorAccess, type DoorKind, type DoorRules } from '../callers/door-access.ts';
import type { Instance } from '../instance/instance.ts';
import { loadListing } from '../listing.ts';
import type { McpOptions } from '../mcp/host-options.ts';
import { type LiveMcp, openLiveMcp } from '../mcp/live-mcp.ts';
import type { Change } from '../reload/change.ts';
import { VERSION } from '../version.generated.ts';
import { DRAIN_MS } from './drain-time.ts';

/** Where a door listens; what is left out has the usual value. */
export interface Place {
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly allowNonLoopback?: boolean | undefined;
  /** The owner's secret at this door; left out, that of the service. */
  readonly sharedSecret?: string | undefined;
}

/** The HTTP door has names and a certificate beside its place. */
export type HttpPlace = Place & Pick<HttpServerOptions, 'hosts' | 'corsOrigins' | 'tls'>;

export interface ServiceOptions extends AccessOptions {
  /** Open unless false. */
  readonly http?: HttpPlace | false;
  /** Closed unless given. */
  readonly tcp?: Place | false;
  /** On the HTTP door where true, on one of its own where a place is given; off unless given. */
  readonly metrics?: (Place & Pick<HttpServerOptions, 'hosts'>) | boolean;
  /** Served at `/mcp` of the HTTP door; off unless given. */
  readonly mcp?: McpOptions | false;
  readonly limits?: Partial<Limits> | undefined;
  /** The history: without it there is nothing at `/runs`, and no Idempotency-Key is honoured. */
  readonly runs?: Runs<Caller> | undefined;
  /** What keeps the service from working, if anything. */
  readonly trouble?: () => Promise<string | undefined>;
  /** How long lists may go on after the service was told to stop. */
  readonly drainMs?: number;
  /** Refuse to be reachable from other machines without a secret; a program that calls the library is only warned. */
  readonly demandSecret?: boolean;
}

/** The open doors of an instance. */
export interface Service extends AsyncDisposable {
  readonly doors: readonly OpenDoor[];
  /** The door of that kind; throws where it was not opened. */
  door(kind: DoorKind): OpenDoor;
  /** Makes other secrets, rights and limits ready for the open doors; where doors listen stays as it is. */
  prepare(options: ServiceOptions): Promise<Change>;
  /** How long lists may go on after the service was told to stop. */
  readonly drainMs: number;
  /** Takes no more lists, gives what runs a few seconds, cancels the rest, closes the doors. The instance stays. */
  close(): Promise<void>;
}

const HTTP_PORT = 9944;
const TCP_PORT = 9943;
const METRICS_PORT = 9945;
const LOOPBACK = '127.0.0.1';
/** What was stopped has this long to say so. */
const PATIENCE_MS = 250;
/** Limits that are looked up at each request; the others are handed to Node when a door opens. */
const LIVE_LIMITS = [
  'bodyBytes',
  'jsonDepth',
  'headerFields',
  'bodyIdleTimeoutS',
  'inFlight',
  'tcpIdleS',
  'requestsPerMinute',
] as const satisfies readonly (keyof Limits)[];

/** Opens the network doors of an instance: all of them, or none. */
export const openService = async (factotum: Instance, options: ServiceOptions = {}): Promise<Service> => {
  const { registry, progress, masker, log } = factotum;
  const { http = {}, tcp = false, metrics = false, mcp = false, demandSecret = false } = options;
  const limits: Limits = { ...DEFAULT_LIMITS, ...options.limits };
  const stopping = openStopper();
  const turnstile = createTurnstile(limits);
  const access = createDoorAccess(factotum);
  const doorwayFor = (kind: DoorKind): Doorway => ({
    gateway: { ...factotum.gateway, run: runUntil(stopping.signal, factotum) },
    masker,
    log,
    gate: access.open(kind, rulesOf(options, kind)),
    turnstile,
    limits,
  });
  const placeOf = ({ host = LOOPBACK, port, allowNonLoopback = false }: Place, usualPort: number) => ({
    host,
    port: port ?? usualPort,
    allowNonLoopback,
    demandSecret,
  });

  const doors = new Map<DoorKind, OpenDoor>();
  let tools: LiveMcp | undefined;
  let drainMs = options.drainMs ?? DRAIN_MS;
  const closers: (() => void | Promise<void>)[] = [];
  const keep = (kind: DoorKind, door: OpenDoor) => {
    doors.set(kind, door);
    closers.push(door.close);
  };
  const closeAll = async () => void (await Promise.all(closers.map((closer) => closer())));
  try {
    if (http !== false) {
      const doorway = doorwayFor('http');
      const feed = await openProgressFeed({ progress, registry, masker });
      tools = mcp === false ? undefined : await openLiveMcp(factotum, doorway, mcp);
      const routes: readonly Route[] = [
        ...actionRoutes(doorway, options.runs),
        ...(options.runs === undefined ? [] : runRoutes({ doorway, runs: options.runs, progress })),
        ...catalogueRoutes({ registry, loadDefs: async () => (await loadListing()).$defs }),
        openApiRoute({ loadListing, version: VERSION }),
        ...healthRoutes({ registry, turnstile, shares: factotum.shares, ...(options.trouble && { trouble: options.trouble }) }),
        ...feed.routes,
        ...(metrics === true ? [metricsRoute({ metrics: await factotum.metrics(), masker, host: http.host ?? LOOPBACK })] : []),
        ...(tools?.routes ?? []),
      ];
      const { hosts, corsOrigins, tls } = http;
      keep('http', await openHttpServer({ ...placeOf(http, HTTP_PORT), doorway, routes, ...defined({ hosts, corsOrigins, tls }) }));
      closers.push(feed.close);
      if (tools !== undefined) closers.push(tools.close);
    }
    if (tcp !== false) keep('tcp', await openTcpServer({ ...placeOf(tcp, TCP_PORT), doorway: doorwayFor('tcp') }));
    if (typeof metrics === 'object') {
      const place = placeOf(metrics, METRICS_PORT);
      const routes = [
        metricsRoute({ metrics: await factotum.metrics(), masker, host: place.host }),
        ...healthRoutes({ registry, turnstile, shares: factotum.shares, ...(options.trouble && { trouble: options.trouble }) }),
      ];
      const { hosts } = metrics;
      keep('metrics', await openHttpServer({ ...place, doorway: doorwayFor('metrics'), routes, ...defined({ hosts }) }));
    }
  } catch (fault) {
    await closeAll();
    throw fault;
  }

  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= (async () => {
      const left = turnstile.drain();
      await within(drainMs, left);
      stopping.stop(new CancelledException('The service stops.'));
      await within(PATIENCE_MS, left); // what heeds that is answered; a body that never comes, or an action that goes on, holds nobody up
      await closeAll();
    })();
    return closing;
  };
  const prepare = async (next: ServiceOptions): Promise<Change> => {
    const wanted: Limits = { ...DEFAULT_LIMITS, ...next.limits };
    const { isLocked, isShut, swap } = access.prepare((kind) => rulesOf(next, kind));
    for (const [kind, { host }] of doors) {
      judgeBind({ host, allowNonLoopback: true, locked: isLocked(kind), demandSecret: next.demandSecret ?? false, encrypted: true });
    }
    const mcpChange = tools === undefined || !next.mcp ? undefined : await tools.prepare(next.mcp);
    return {
      async apply() {
        swap();
        for (const kind of doors.keys())
          if (isShut(kind)) log('warn', 'no secret is left, so nobody comes in; set one or restart', { door: kind });
        Object.assign(limits, Object.fromEntries(LIVE_LIMITS.map((key) => [key, wanted[key]])));
        drainMs = next.drainMs ?? DRAIN_MS;
        await mcpChange?.apply();
      },
      revert: async () => mcpChange?.revert(),
    };
  };
  return {
    doors: [...doors.values()],
    prepare,
    get drainMs() {
      return drainMs;
    },
    door(kind) {
      const door = doors.get(kind);
      if (door === undefined) throw new Error(`The service has no ${kind} door.`);
      return door;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
};

/** Who may come in through a door: those of the service, and whoever knows a secret of this door. */
const rulesOf = (options: ServiceOptions, kind: DoorKind): DoorRules => {
  const { sharedSecret, tokens, acl, ownerPolicy, guarded, limits } = options;
  const place = options[kind];
  return {
    sharedSecret: (typeof place === 'object' ? place.sharedSecret : undefined) ?? sharedSecret,
    ...(tokens !== undefined && { tokens }),
    acl,
    ownerPolicy,
    guarded,
    wrongPerMinute: limits?.wrongSecretsPerMinute ?? DEFAULT_LIMITS.wrongSecretsPerMinute,
  };
};

/** Lists of a door end with the service, and with their own signal where they have one. */
const runUntil =
  (stopping: AbortSignal, { gateway }: Instance): Doorway['gateway']['run'] =>
  (request, call) => {
    if (call.signal === undefined) return gateway.run(request, until(stopping, call));
    const either = followSignals(call.signal, stopping);
    return gateway.run(request, until(either.signal, call)).finally(either.forget);
  };

/** Written out: spreading the call would cost as much as a short list. */
const until = (signal: AbortSignal, { caller, source, runId, named, commands }: Call): Call => ({
  caller,
  signal,
  source,
  runId,
  named,
  commands,
});

/** Without the keys that have no value. */
const defined = <T extends object>(options: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as { [K in keyof T]?: Exclude<T[K], undefined> }; // only undefined was taken out
