import type { ActionACL } from '../../access/acl.ts';
import type { Registry } from '../../core/registry.ts';
import {
  type OpenDoor,
  type StartOptions,
  startAutocontrolSocketServer,
  startHttpActionServer,
  startMetricsServer,
} from '../library/start-servers.ts';
import { MCPServer as HouseMCPServer, type MCPServerOptions } from '../mcp/server.ts';
import { readArguments } from './keywords.ts';

interface MetricsArguments {
  readonly host?: string;
  readonly port?: number;
  readonly allow_non_loopback?: boolean;
}

interface ServerArguments extends MetricsArguments {
  readonly shared_secret?: string;
  readonly action_acl?: ActionACL;
}

const METRICS = { host: 'string', port: 'number', allow_non_loopback: 'boolean' } as const;
const SERVER = { ...METRICS, shared_secret: 'string', action_acl: 'any' } as const;

/** The arguments of a server in their order; any of them may be an object with the rest by name. */
type ServerCall = readonly [
  host?: string | ServerArguments | null,
  port?: number | ServerArguments | null,
  allow_non_loopback?: boolean | ServerArguments,
  shared_secret?: string | ServerArguments | null,
  action_acl?: ActionACL | null,
];

const optionsOf = (given: ServerArguments): StartOptions => ({
  host: given.host,
  port: given.port,
  allowNonLoopback: given.allow_non_loopback,
  sharedSecret: given.shared_secret,
  actionAcl: given.action_acl,
});

/** Serves the shared instance over HTTP. */
export const start_http_action_server = async (...call: ServerCall): Promise<OpenDoor> =>
  startHttpActionServer(optionsOf(readArguments<ServerArguments>('start_http_action_server', SERVER, call)));

/** Serves the shared instance over TCP. */
export const start_autocontrol_socket_server = async (...call: ServerCall): Promise<OpenDoor> =>
  startAutocontrolSocketServer(optionsOf(readArguments<ServerArguments>('start_autocontrol_socket_server', SERVER, call)));

/** Serves the metrics of the shared instance. */
export const start_metrics_server = async (
  ...call: readonly [
    host?: string | MetricsArguments | null,
    port?: number | MetricsArguments | null,
    allow_non_loopback?: boolean | MetricsArguments,
  ]
): Promise<OpenDoor> => startMetricsServer(optionsOf(readArguments<MetricsArguments>('start_metrics_server', METRICS, call)));

/** The same options by the specification's way of writing: `read_only` for `readOnly`. */
type SnakeCase<Text extends string> = Text extends `${infer First}${infer Rest}`
  ? First extends Lowercase<First>
    ? `${First}${SnakeCase<Rest>}`
    : `_${Lowercase<First>}${SnakeCase<Rest>}`
  : Text;
type SnakeOptions = { readonly [Key in keyof MCPServerOptions as SnakeCase<Key & string>]: MCPServerOptions[Key] };

/** Offers the actions of a registry to an MCP host; without one, those of the shared instance. */
export class MCPServer {
  readonly #server: HouseMCPServer;

  constructor(registry?: Registry | null, options: MCPServerOptions | SnakeOptions = {}) {
    const entries = Object.entries(options).map(([key, value]) => [
      key.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]);
    this.#server = new HouseMCPServer(registry, Object.fromEntries(entries)); // which refuses what it does not know
  }

  handle_message(message: unknown): Promise<unknown> {
    return this.#server.handleMessage(message);
  }

  serve_stdio(): Promise<void> {
    return this.#server.serveStdio();
  }

  close(): Promise<void> {
    return this.#server.close();
  }
}
