// The public door. Names are listed one by one; what is not built yet is not here yet.
import * as args from './core/args.ts';
import * as errors from './core/errors.ts';
import * as shapes from './core/shapes.ts';

export { type AclRules, ActionACL } from './access/acl.ts';
export { type Caller, OWNER } from './access/caller.ts';
export { createPolicy, type Policy, type PolicyRules } from './access/policy.ts';
export type { ActionMap } from './app/actions.generated.ts';
export { buildDefaultRegistry } from './app/default-registry.ts';
export type { ActionCallOptions, CallAction, Factotum, FactotumOptions, LogSettings, RunOptions } from './app/factotum.ts';
export { AutomationConfig, type Config, type SinkTable, type SinkTaker } from './app/library/automation-config.ts';
export { call } from './app/library/call.ts';
export { type CallbackCall, CallbackExecutor } from './app/library/callback-executor.ts';
export { ConfigWatcher, type ConfigWatcherOptions } from './app/library/config-watcher.ts';
export { createFactotum } from './app/library/create-factotum.ts';
export { downloadFile } from './app/library/download.ts';
export {
  registerArchiveOps,
  registerAzureBlobOps,
  registerCryptoOps,
  registerDataOps,
  registerFilesOps,
  registerFlowOps,
  registerFtpOps,
  registerNotifyOps,
  registerReliabilityOps,
  registerRemoteOps,
  registerS3Ops,
  registerSearchOps,
  registerSftpOps,
  registerShellOps,
  registerSmbOps,
  registerStateOps,
  registerSyncOps,
  registerSystemOps,
  registerTextOps,
  registerWebdavOps,
} from './app/library/groups.ts';
export { fileChecksum, findDuplicates, verifyChecksum, verifyManifest, writeManifest } from './app/library/integrity.ts';
export {
  addCommandToExecutor,
  type ExecuteOptions,
  executeAction,
  executeActionDag,
  executeActionParallel,
  executeFiles,
  validateAction,
} from './app/library/library.ts';
export { type NotificationManager, notificationManager, notifyOnFailure } from './app/library/notify.ts';
export { progressRegistry } from './app/library/progress.ts';
export { type ScheduleOptions, type SharedScheduler, scheduler } from './app/library/scheduler.ts';
export {
  type OpenDoor,
  type StartOptions,
  startAutocontrolSocketServer,
  startHttpActionServer,
  startMetricsServer,
} from './app/library/start-servers.ts';
export { syncDir } from './app/library/sync.ts';
export { type TriggerManager, triggerManager } from './app/library/triggers.ts';
export { validateHttpUrl } from './app/library/validate-http-url.ts';
export { MCPServer, type MCPServerOptions } from './app/mcp/server.ts';
export { addPackageToExecutor, type LoadedPlugin, loadEntryPointPlugins, type PluginOptions } from './app/plugins.ts';
export type { ActionArguments, ActionEntry, ActionValue } from './app/typed/call.ts';
export type { ActionName, ActionTable, Command, CommandOf, NameIn, NestedList, Reference } from './app/typed/commands.ts';
export type {
  ActionNames,
  Graph,
  GraphNode,
  ListOf,
  ListOptions,
  ListRequest,
  NamesIn,
  NodesOf,
  OutcomeOf,
  ResultOf,
  WrappedList,
} from './app/typed/lists.ts';
export { literal } from './client/literal.ts';
export { type Action, defineAction, defineFamily, type Family } from './core/action.ts';
export type { Context } from './core/context.ts';
export { FileAutomationException } from './core/errors.ts';
export type { Example } from './core/example.ts';
export type { ScheduleSnapshot } from './core/ports/scheduler.ts';
export type { WatcherSnapshot, WatchRules } from './core/ports/watchers.ts';
export type { ProgressRegistry, Snapshot } from './core/progress.ts';
export { Quota, type QuotaLimits } from './core/quota.ts';
export type { Registrable, Registry } from './core/registry.ts';
export type { Effect, ErrorRecord, Note, Outcome, Plan, RunResult, Status } from './core/result.ts';
export { type RetryOptions, retryOnTransient } from './core/retry.ts';
export { type Unchecked, unchecked } from './core/unchecked.ts';
export { isWithin, safeJoin } from './lib/fs/safe-path.ts';
/** Builders of arguments, shapes of values, and every error, for programs that define actions. */
export { args, errors, shapes };
