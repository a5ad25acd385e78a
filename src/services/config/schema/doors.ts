import { z } from 'zod';
import { callerLimits } from './access.ts';
import { atLeastOne, count, flag, path, plain, secret, several, wait } from './keys.ts';

const port = (usual: number) => z.int().min(0).max(65_535).default(usual).meta({ description: 'The port; 0 takes any that is free.' });

/** What every door has. Left out secrets and permissions are those of `[server]`. */
const door = (usualPort: number) => ({
  enabled: flag('Whether `factotum serve` opens this door.').default(true),
  host: plain('The address to listen on.').default('127.0.0.1'),
  port: port(usualPort),
  shared_secret: secret("The owner's secret at this door; left out, that of `[server]`.").exactOptional(),
  allow_non_loopback: flag('Whether `host` may be reachable from other machines; left out, as `[server]` says.').exactOptional(),
});

const hosts = several(
  plain(
    'Names under which browsers and clients may address this door, beside the addresses of this machine; with a port, with that alone.',
  ),
).default([]);

/** A door that usually shares the port of `[http]`. */
const guestDoor = (usualPort: number) => ({
  ...door(usualPort),
  own_port: flag('Whether it listens on its own `host` and `port` instead of those of `[http]`.').default(false),
  hosts,
});

/** `[server]`. */
export const serverSection = z
  .strictObject({
    shared_secret: secret(
      "The owner's secret at every door; 16 characters or more. Without one every user of this machine may run actions.",
    ).exactOptional(),
    allow_non_loopback: flag('Whether doors may be reachable from other machines; that takes a secret or tokens too.').default(false),
    insecure_no_auth: flag('Lets doors be reachable from other machines without a secret or tokens.').default(false),
    tracing: flag('Whether runs and commands become OpenTelemetry spans from the start; an SDK must be there to take them.').default(false),
    drain_s: wait(
      'Seconds that running lists have to finish when the service stops; more than 3.5 count as 3.5, so that all is over within five.',
    ).default(3.5),
  })
  .prefault({})
  .meta({ description: 'What all doors share.' });

/** `[http]`. */
export const httpSection = z
  .strictObject({
    ...door(9944),
    hosts,
    cors_origins: several(plain('Origins of web pages that may call this door, such as `https://app.example.com`.')).default([]),
    tls_cert: path('The certificate chain (PEM); with it the door speaks HTTPS. Read again when it changes.').exactOptional(),
    tls_key: path('The private key of the certificate (PEM).').exactOptional(),
  })
  .superRefine(({ tls_cert, tls_key }, report) => {
    if ((tls_cert === undefined) === (tls_key === undefined)) return;
    const [given, missing] = tls_cert === undefined ? ['tls_key', 'tls_cert'] : ['tls_cert', 'tls_key'];
    report.addIssue({ code: 'custom', path: [given], message: `HTTPS takes both; set ${missing} too.` });
  })
  .prefault({})
  .meta({ description: 'The HTTP door.' });

/** `[tcp]`. */
export const tcpSection = z.strictObject(door(9943)).prefault({}).meta({ description: 'The TCP door.' });

/** `[metrics]`. */
export const metricsSection = z.strictObject(guestDoor(9945)).prefault({}).meta({ description: 'Metrics for a monitoring system.' });

/** `[dashboard]`. */
export const dashboardSection = z
  .strictObject(guestDoor(9955))
  .prefault({})
  .meta({ description: 'The web dashboard; this version has none, so nothing here counts yet.' });

/** `[mcp]`. */
export const mcpSection = z
  .strictObject({
    enabled: flag('Whether `/mcp` is served on the HTTP door.').default(true),
    toolsets: several(plain('Groups of actions offered as tools beside the usual ones, such as `search`.')).default([]),
    all: flag('Whether every permitted action is a tool.').default(false),
    compact: flag('Whether only the four general tools are offered.').default(false),
    read_only: flag('Whether tools that change something are left out.').default(false),
    ...callerLimits,
  })
  .superRefine(({ all, compact }, report) => {
    if (all && compact) report.addIssue({ code: 'custom', path: ['compact'], message: '`all` and `compact` exclude each other.' });
  })
  .prefault({})
  .meta({ description: 'What assistants get that speak the Model Context Protocol. They are never the owner.' });

/** `[limits]`. */
export const limitsSection = z
  .strictObject({
    body_bytes: atLeastOne('Size of a request body.').default(8 * 1024 * 1024),
    json_depth: atLeastOne('Levels of nesting in a list.').default(64),
    commands: atLeastOne('Commands or nodes in a list, at all depths.').default(100_000),
    executed_commands: atLeastOne(
      'Commands that one run may execute, those of nested lists and of every repetition and further attempt counted.',
    ).default(1_000_000),
    run_bytes: atLeastOne('About how many bytes of results, and of values that references stand for, one run may keep in memory.').default(
      256 * 1024 * 1024,
    ),
    header_bytes: atLeastOne('Size of the headers of a request.').default(16 * 1024),
    header_fields: atLeastOne('Header fields of a request.').default(100),
    headers_timeout_s: wait('Seconds for the headers of a request to arrive.').default(30),
    body_idle_timeout_s: wait('Seconds without a byte of a request body, or of an answer that is not read.').default(60),
    body_timeout_s: wait('Seconds for a request body to arrive, or an answer to be read.').default(300),
    in_flight: atLeastOne('Requests that run at the same time.').default(256),
    tcp_connections: atLeastOne('TCP connections at once; an idle one makes room for another.').default(256),
    tcp_idle_s: wait('Seconds after which an idle TCP connection is closed.').default(300),
    requests_per_minute: count('Requests of one caller; 0 is no limit.').default(0),
    runner_threads: count(
      'Threads that commands on files run on in a service, so that a slow device holds up nobody else; 0 runs them where requests are answered.',
    ).default(8),
    runner_heap_mb: atLeastOne('Megabytes of memory that one such thread may use for values; a command that needs more fails.').default(
      2048,
    ),
    runner_memory_mb: atLeastOne(
      'Megabytes of memory that the service may take beyond what it has at rest; where it takes more, the command of a caller with limits that took most of it fails.',
    ).default(256),
    runner_busy_s: wait('Seconds for which a command of a caller with limits may compute without a pause.').default(60),
    wrong_secrets_per_minute: atLeastOne('Wrong secrets from one address before further ones are turned away.').default(10),
  })
  .prefault({})
  .meta({ description: 'How much a caller may ask of the doors.' });
