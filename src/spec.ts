// The specification's exact names, over the same shared instance as the main door.

export { ActionACL } from './access/acl.ts';
export { CallbackExecutor } from './app/spec/callback-executor.ts';
export { is_within, safe_join, validate_http_url } from './app/spec/checks.ts';
export { AutomationConfig, ConfigWatcher } from './app/spec/config.ts';
export { download_file } from './app/spec/download.ts';
export { execute_action, execute_action_dag, execute_action_parallel, execute_files, validate_action } from './app/spec/execute.ts';
export { Quota, retry_on_transient } from './app/spec/limits.ts';
export {
  add_command_to_executor,
  add_package_to_executor,
  build_default_registry,
  load_entry_point_plugins,
  register_archive_ops,
  register_azure_blob_ops,
  register_crypto_ops,
  register_data_ops,
  register_files_ops,
  register_flow_ops,
  register_ftp_ops,
  register_notify_ops,
  register_reliability_ops,
  register_remote_ops,
  register_s3_ops,
  register_search_ops,
  register_sftp_ops,
  register_shell_ops,
  register_smb_ops,
  register_state_ops,
  register_sync_ops,
  register_system_ops,
  register_text_ops,
  register_webdav_ops,
} from './app/spec/registering.ts';
export { MCPServer, start_autocontrol_socket_server, start_http_action_server, start_metrics_server } from './app/spec/servers.ts';
export { notification_manager, notify_on_failure, progress_registry, scheduler, trigger_manager } from './app/spec/shared-instance.ts';
export { file_checksum, find_duplicates, sync_dir, verify_checksum, verify_manifest, write_manifest } from './app/spec/trees.ts';
export { FileAutomationException } from './core/errors.ts';
