import type { ActionACL } from '../../access/acl.ts';
import { type Bound, either, flag, integer, text } from '../../core/args.ts';
import { ArgumentException } from '../../core/errors.ts';
import type { Registry } from '../../core/registry.ts';
import { callableLater, handed } from '../library/arguments.ts';
import { type StartOptions, startAutocontrolSocketServer, startHttpActionServer, startMetricsServer } from '../library/start-servers.ts';
import { MCPServer as HouseMCPServer, type MCPServerOptions } from '../mcp/server.ts';

const ADDRESS = [
  ['host', text('Where it listens.', { default: null })],
  ['port', integer('The port; 0 takes any that is free.', { default: null, min: 0, max: 65_535 })],
  ['allow_non_loopback', flag('Whether other machines may reach it.', { default: false })],
] as const;
/** One of the other door's making is as good, so it is told by what it can do. */
const aclShape = handed<ActionACL>('an ActionACL', (value) => typeof (value as Partial<ActionACL> | null)?.permits === 'function');
const SERVER = [
  ...ADDRESS,
  ['shared_secret', text('What callers have to present.', { default: null })],
  ['action_acl', either('Which actions are accepted.', [aclShape], { default: null })],
] as const;

type Address = Bound<{ readonly [Each in (typeof ADDRESS)[number] as Each[0]]: Each[1] }>;

const placeOf = ({ host, port, allow_non_loopback }: Address): StartOptions => ({
  host: host ?? undefined,
  port: port ?? undefined,
  allowNonLoopback: allow_non_loopback,
});

/** Serves the shared instance over HTTP. */
export const start_http_action_server = callableLater('start_http_action_server', SERVER, ({ shared_secret, action_acl, ...place }) =>
  startHttpActionServer({ ...placeOf(place), sharedSecret: shared_secret ?? undefined, actionAcl: action_acl ?? undefined }),
);

/** Serves the shared instance over TCP. */
export const start_autocontrol_socket_server = callableLater(
  'start_autocontrol_socket_server',
  SERVER,
  ({ shared_secret, action_acl, ...place }) =>
    startAutocontrolSocketServer({ ...placeOf(place), sharedSecret: shared_secret ?? undefined, actionAcl: action_acl ?? undefined }),
);

/** Serves the metrics of the shared instance. */
export const start_metrics_server = callableLater('start_metrics_server', ADDRESS, (place) => startMetricsServer(placeOf(place)));

/** The same options by the specification's way of writing: `read_only` for `readOnly`. */
type SnakeCase<Text extends string> = Text extends `${infer First}${infer Rest}`
  ? First extends Lowercase<First>
    ? `${First}${SnakeCase<Rest>}`
    : `_${Lowercase<First>}${SnakeCase<Rest>}`
  : Text;
type SnakeOptions = { readonly [Key in keyof MCPServerOptions as SnakeCase<Key & string>]: MCPServerOptions[Key] };

type ServerOptions = MCPServerOptions | SnakeOptions;

const isRegistry = (value: Registry | ServerOptions): value is Registry => Object.hasOwn(value, 'registerFamily');

/** Offers the actions of a registry to an MCP host; without one, those of the shared instance. */
export class MCPServer {
  readonly #server: HouseMCPServer;

  /** Options are by name only, in the last place. */
  constructor(...call: [registry?: Registry | null, options?: ServerOptions] | [options: ServerOptions]) {
    if (call.length > 2) throw new ArgumentException('MCPServer takes at most a registry and options by name.');
    const [first, second] = call;
    const [registry, options = {}] = first === undefined || first === null || isRegistry(first) ? [first, second] : [undefined, first];
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
