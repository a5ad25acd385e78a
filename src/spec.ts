// The specification's exact names, over the same shared instance as the main door.

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
import { handOverPlugins } from './app/plugins.ts';
import type { Registrable } from './core/registry.ts';

export { ActionACL } from './access/acl.ts';
export { buildDefaultRegistry as build_default_registry } from './app/create.ts';
export {
  findDuplicates as find_duplicates,
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
export { addPackageToExecutor as add_package_to_executor } from './app/plugins.ts';
export { CallbackExecutor } from './app/spec/callback-executor.ts';
export { file_checksum, validate_http_url, verify_checksum } from './app/spec/checks.ts';
export { AutomationConfig, ConfigWatcher } from './app/spec/config.ts';
export { type ExecuteActionOptions, execute_action, execute_action_dag, execute_action_parallel } from './app/spec/execute.ts';
export { Quota, retry_on_transient } from './app/spec/limits.ts';
export { MCPServer, start_autocontrol_socket_server, start_http_action_server, start_metrics_server } from './app/spec/servers.ts';
export { notification_manager, progress_registry, scheduler, trigger_manager } from './app/spec/shared-instance.ts';
export { FileAutomationException } from './core/errors.ts';
export { isWithin as is_within, safeJoin as safe_join } from './lib/fs/safe-path.ts';

/** Loads the plugins of the working project, into the shared instance unless they are handed over; answers how many actions came. */
export const load_entry_point_plugins = (register?: (mapping: Readonly<Record<string, Registrable>>) => void): Promise<number> =>
  handOverPlugins(register);

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
