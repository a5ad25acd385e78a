// The specification's exact names, over the same shared instance as the main door.

import type { ActionACL } from './access/acl.ts';
import { AutomationConfig as Configuration, type SinkTable, type SinkTaker } from './app/library/automation-config.ts';
import { CallbackExecutor as Callbacks } from './app/library/callback-executor.ts';
import { ConfigWatcher as Watcher } from './app/library/config-watcher.ts';
import {
  registerArchiveOps,
  registerCryptoOps,
  registerDataOps,
  registerFilesOps,
  registerFlowOps,
  registerNotifyOps,
  registerReliabilityOps,
  registerRemoteOps,
  registerSearchOps,
  registerShellOps,
  registerStateOps,
  registerSyncOps,
  registerSystemOps,
  registerTextOps,
} from './app/library/groups.ts';
import { executeAction, executeActionDag, executeActionParallel } from './app/library/library.ts';
import { notificationManager } from './app/library/notify.ts';
import { progressRegistry } from './app/library/progress.ts';
import { scheduler as houseScheduler, type SharedScheduler } from './app/library/scheduler.ts';
import type { OpenDoor } from './app/library/start-servers.ts';
import { startAutocontrolSocketServer, startHttpActionServer, startMetricsServer } from './app/library/start-servers.ts';
import { type TriggerManager, triggerManager } from './app/library/triggers.ts';
import { MCPServer as HouseMCPServer, type MCPServerOptions } from './app/mcp/server.ts';
import { handOverPlugins } from './app/plugins.ts';
import type { WatchRules } from './core/ports/watchers.ts';
import { Quota as HouseQuota } from './core/quota.ts';
import type { PlainFunction } from './core/ready.ts';
import type { Registrable, Registry } from './core/registry.ts';
import type { RunResult } from './core/result.ts';
import { retryOnTransient } from './core/retry.ts';

export { ActionACL } from './access/acl.ts';
export { buildDefaultRegistry as build_default_registry } from './app/create.ts';
export {
  fileChecksum as file_checksum,
  findDuplicates as find_duplicates,
  verifyChecksum as verify_checksum,
  verifyManifest as verify_manifest,
  writeManifest as write_manifest,
} from './app/library/integrity.ts';
export {
  addCommandToExecutor as add_command_to_executor,
  executeFiles as execute_files,
  validateAction as validate_action,
} from './app/library/library.ts';
export { notifyOnFailure as notify_on_failure } from './app/library/notify.ts';
export { syncDir as sync_dir } from './app/library/sync.ts';
export { validateHttpUrl as validate_http_url } from './app/library/validate-http-url.ts';
export { addPackageToExecutor as add_package_to_executor } from './app/plugins.ts';
export { FileAutomationException } from './core/errors.ts';
export { isWithin as is_within, safeJoin as safe_join } from './lib/fs/safe-path.ts';

type List = Parameters<typeof executeAction>[0];

/** Options of `execute_action`; `substitute` is accepted and has no effect, since references are always read. */
export interface ExecuteActionOptions {
  readonly validate_first?: boolean;
  readonly dry_run?: boolean;
  readonly substitute?: boolean;
}

/** Runs a list one command after the other. */
export const execute_action = (
  actions: List,
  validate_first: boolean | ExecuteActionOptions = false,
  dry_run = false,
): Promise<RunResult> =>
  typeof validate_first === 'boolean'
    ? executeAction(actions, validate_first, dry_run)
    : executeAction(actions, validate_first.validate_first ?? false, validate_first.dry_run ?? false);

/** Runs a list with several commands at once. */
export const execute_action_parallel = (actions: List, max_workers = 4, dry_run = false): Promise<RunResult> =>
  executeActionParallel(actions, max_workers, dry_run);

/** Runs a graph in the order of its dependencies. */
export const execute_action_dag = (nodes: readonly unknown[], max_workers = 4, fail_fast = true): Promise<RunResult> =>
  executeActionDag(nodes, max_workers, fail_fast);

/** Loads the plugins of the working project, into the shared instance unless they are handed over; answers how many actions came. */
export const load_entry_point_plugins = (register?: (mapping: Readonly<Record<string, Registrable>>) => void): Promise<number> =>
  handOverPlugins(register);

/** A cap on bytes and seconds; 0 or less means no cap. */
export class Quota {
  readonly #quota: HouseQuota;

  constructor(max_bytes = 0, max_seconds = 0) {
    this.#quota = new HouseQuota({ maxBytes: max_bytes, maxSeconds: max_seconds });
  }

  get max_bytes(): number {
    return this.#quota.maxBytes;
  }

  get max_seconds(): number {
    return this.#quota.maxSeconds;
  }

  check_size(bytes: number): void {
    this.#quota.checkSize(bytes);
  }

  time_budget<T>(work: (signal: AbortSignal) => T | Promise<T>): Promise<T> {
    return this.#quota.timeBudget(work);
  }

  wraps<A extends unknown[], T>(work: (...args: A) => T | Promise<T>): (...args: A) => Promise<T> {
    return this.#quota.wraps(work);
  }
}

/** Wraps a function so that transient errors are retried. */
export const retry_on_transient = (max_attempts = 3, backoff_base = 0.5, backoff_cap = 8, retriable?: (fault: unknown) => boolean) =>
  retryOnTransient({ maxAttempts: max_attempts, backoffBase: backoff_base, backoffCap: backoff_cap, ...(retriable && { retriable }) });

/** A configuration file as a program uses it. */
export class AutomationConfig {
  readonly #config: Configuration;

  private constructor(config: Configuration) {
    this.#config = config;
  }

  static async load(path?: string): Promise<AutomationConfig> {
    return AutomationConfig.of(await Configuration.load(path));
  }

  /** The same configuration under these names. */
  static of(config: Configuration): AutomationConfig {
    return new AutomationConfig(config);
  }

  section: Configuration['section'] = (name) => this.#config.section(name);

  notification_sinks(): Promise<readonly SinkTable[]> {
    return this.#config.notificationSinks();
  }

  apply_to(taker: SinkTaker): Promise<number> {
    return this.#config.applyTo(taker);
  }
}

/** Looks at a configuration file and hands it over whenever it changes. */
export class ConfigWatcher {
  readonly #watcher: Watcher;

  constructor(path: string, on_change: (config: AutomationConfig) => unknown, options: { readonly interval?: number } = {}) {
    this.#watcher = new Watcher(path, (config) => on_change(AutomationConfig.of(config)), options);
  }

  start(): Promise<void> {
    return this.#watcher.start();
  }

  check_once(): Promise<boolean> {
    return this.#watcher.checkOnce();
  }

  stop(): Promise<void> {
    return this.#watcher.stop();
  }
}

/** Serves the shared instance over HTTP. */
export const start_http_action_server = (
  host?: string,
  port?: number,
  allow_non_loopback = false,
  shared_secret?: string,
  action_acl?: ActionACL,
): Promise<OpenDoor> =>
  startHttpActionServer({ host, port, allowNonLoopback: allow_non_loopback, sharedSecret: shared_secret, actionAcl: action_acl });

/** Serves the shared instance over TCP. */
export const start_autocontrol_socket_server = (
  host?: string,
  port?: number,
  allow_non_loopback = false,
  shared_secret?: string,
  action_acl?: ActionACL,
): Promise<OpenDoor> =>
  startAutocontrolSocketServer({ host, port, allowNonLoopback: allow_non_loopback, sharedSecret: shared_secret, actionAcl: action_acl });

/** Serves the metrics of the shared instance. */
export const start_metrics_server = (host?: string, port?: number, allow_non_loopback = false): Promise<OpenDoor> =>
  startMetricsServer({ host, port, allowNonLoopback: allow_non_loopback });

/** The progress of the shared instance. */
export const progress_registry = { ...progressRegistry, clear_finished: progressRegistry.clearFinished };

/** The sinks of the shared instance. */
export const notification_manager = { ...notificationManager, unregister_all: notificationManager.unregisterAll };

/** The jobs of the shared instance. */
export const scheduler = {
  ...houseScheduler,
  add: (name: string, cron_expression: string, action_list: Parameters<SharedScheduler['add']>[2], allow_overlap = false) =>
    houseScheduler.add(name, cron_expression, action_list, { overlap: allow_overlap ? 'parallel' : 'skip' }),
  remove_all: houseScheduler.removeAll,
};

/** The watchers of the shared instance. */
export const trigger_manager = {
  ...triggerManager,
  start: (
    name: string,
    path: string,
    action_list: Parameters<TriggerManager['start']>[2],
    events?: WatchRules['events'] | null,
    recursive = true,
  ) => triggerManager.start(name, path, action_list, { recursive, ...(events && { events }) }),
  stop_all: triggerManager.stopAll,
};

/** Runs an action, then a function of the program. */
export class CallbackExecutor {
  readonly #callbacks = new Callbacks();

  callback_function(
    trigger_function_name: string,
    callback_function: PlainFunction,
    callback_function_param?: unknown,
    callback_param_method: 'kwargs' | 'args' = 'kwargs',
    trigger_kwargs: Readonly<Record<string, unknown>> = {},
  ): Promise<unknown> {
    const param =
      callback_param_method === 'kwargs' && callback_function_param !== undefined ? [callback_function_param] : callback_function_param;
    return this.#callbacks.run({ action: trigger_function_name, args: trigger_kwargs, callback: callback_function, param });
  }
}

/** Offers the actions of a registry to an MCP host; without one, those of the shared instance. */
export class MCPServer {
  readonly #server: HouseMCPServer;

  constructor(registry?: Registry | null, options: MCPServerOptions = {}) {
    this.#server = new HouseMCPServer(registry, options);
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

export const register_archive_ops = registerArchiveOps;
export const register_crypto_ops = registerCryptoOps;
export const register_data_ops = registerDataOps;
export const register_files_ops = registerFilesOps;
export const register_flow_ops = registerFlowOps;
export const register_notify_ops = registerNotifyOps;
export const register_reliability_ops = registerReliabilityOps;
export const register_remote_ops = registerRemoteOps;
export const register_search_ops = registerSearchOps;
export const register_shell_ops = registerShellOps;
export const register_state_ops = registerStateOps;
export const register_sync_ops = registerSyncOps;
export const register_system_ops = registerSystemOps;
export const register_text_ops = registerTextOps;
