import { expect, test } from 'vitest';
import * as door from '../../src/index.ts';
import * as spec from '../../src/spec.ts';

test('the main door exports exactly these names', () => {
  expect(Object.keys(door).sort()).toEqual([
    'ActionACL',
    'AutomationConfig',
    'CallbackExecutor',
    'ConfigWatcher',
    'FileAutomationException',
    'MCPServer',
    'OWNER',
    'Quota',
    'addCommandToExecutor',
    'addPackageToExecutor',
    'args',
    'buildDefaultRegistry',
    'call',
    'createFactotum',
    'createPolicy',
    'defineAction',
    'defineFamily',
    'downloadFile',
    'errors',
    'executeAction',
    'executeActionDag',
    'executeActionParallel',
    'executeFiles',
    'fileChecksum',
    'findDuplicates',
    'isWithin',
    'literal',
    'loadEntryPointPlugins',
    'notificationManager',
    'notifyOnFailure',
    'progressRegistry',
    'registerArchiveOps',
    'registerAzureBlobOps',
    'registerCryptoOps',
    'registerDataOps',
    'registerFilesOps',
    'registerFlowOps',
    'registerFtpOps',
    'registerNotifyOps',
    'registerReliabilityOps',
    'registerRemoteOps',
    'registerS3Ops',
    'registerSearchOps',
    'registerSftpOps',
    'registerShellOps',
    'registerSmbOps',
    'registerStateOps',
    'registerSyncOps',
    'registerSystemOps',
    'registerTextOps',
    'registerWebdavOps',
    'retryOnTransient',
    'safeJoin',
    'scheduler',
    'shapes',
    'startAutocontrolSocketServer',
    'startHttpActionServer',
    'startMetricsServer',
    'syncDir',
    'triggerManager',
    'unchecked',
    'validateAction',
    'validateHttpUrl',
    'verifyChecksum',
    'verifyManifest',
    'writeManifest',
  ]);
});

test('an instance shows exactly what programs may use', async () => {
  await using factotum = door.createFactotum({ log: { level: 'silent' } });
  expect(Object.keys(factotum).sort()).toEqual(['call', 'close', 'metrics', 'observe', 'progress', 'registry', 'run', 'validate']);
  expect(Object.keys(await factotum.metrics())).toEqual(['render']);
});

test.each(['state', 'forgetsNothing', 'approvals', 'journalOf', 'configuration', 'settleRun', 'openRunners'])(
  'createFactotum does not take %s, which is for the house itself',
  (option) => {
    expect(() => Reflect.apply(door.createFactotum, undefined, [{ [option]: undefined }])).toThrow(`has no argument "${option}"`);
  },
);

test('the argument builders are exactly these', () => {
  expect(Object.keys(door.args).sort()).toEqual([
    'actionName',
    'bytes',
    'either',
    'flag',
    'integer',
    'json',
    'list',
    'nodes',
    'number',
    'oneOf',
    'path',
    'paths',
    'record',
    'steps',
    'text',
  ]);
});

test('shapes have the words of arguments', () => {
  const ofArguments = Object.keys(door.args).filter((name) => !['actionName', 'nodes', 'path', 'paths', 'steps'].includes(name));
  const builders = Object.keys(door.shapes).filter((name) => !['faultOf', 'kindOf', 'nothing', 'nullable', 'object'].includes(name));
  expect(builders.sort()).toEqual(ofArguments.sort());
});

/** Every callable name of the specification; a name moves up once it is built. */
const BUILT = [
  'AutomationConfig',
  'ConfigWatcher',
  'MCPServer',
  'Quota',
  'add_command_to_executor',
  'build_default_registry',
  'download_file',
  'execute_action',
  'execute_action_dag',
  'execute_action_parallel',
  'file_checksum',
  'find_duplicates',
  'is_within',
  'load_entry_point_plugins',
  'notification_manager',
  'notify_on_failure',
  'progress_registry',
  'retry_on_transient',
  'safe_join',
  'scheduler',
  'start_autocontrol_socket_server',
  'start_http_action_server',
  'start_metrics_server',
  'sync_dir',
  'trigger_manager',
  'validate_action',
  'validate_http_url',
  'verify_checksum',
  'verify_manifest',
  'write_manifest',
];
const STILL_MISSING = ['start_web_ui'];
/** Names of ours at the same door: the executor of callbacks, the package loader, file lists, access lists, the client, every error, one helper per group. */
const BESIDE = [
  'ActionACL',
  'CallbackExecutor',
  'HTTPActionClient',
  'add_package_to_executor',
  'execute_files',
  'register_archive_ops',
  'register_azure_blob_ops',
  'register_crypto_ops',
  'register_data_ops',
  'register_files_ops',
  'register_flow_ops',
  'register_ftp_ops',
  'register_notify_ops',
  'register_reliability_ops',
  'register_remote_ops',
  'register_s3_ops',
  'register_search_ops',
  'register_sftp_ops',
  'register_shell_ops',
  'register_smb_ops',
  'register_state_ops',
  'register_sync_ops',
  'register_system_ops',
  'register_text_ops',
  'register_webdav_ops',
  'unchecked',
  ...Object.keys(door.errors),
];

test('the door of exact names exports what is built and nothing that is not', () => {
  expect(Object.keys(spec).sort()).toEqual([...BUILT, ...BESIDE].sort());
  expect(BUILT.filter((name) => STILL_MISSING.includes(name))).toEqual([]);
});

test('every built-in group has its helper at both doors', () => {
  const registry = door.buildDefaultRegistry();
  const groups = new Set(registry.names().map((name) => registry.about(name)?.group ?? ''));
  for (const group of groups) {
    const name = group === 'remote-azure' ? 'azure_blob' : group.replace(/^remote-/, '');
    expect(Object.keys(spec)).toContain(`register_${name}_ops`);
    expect(Object.keys(door)).toContain(`register_${name}_ops`.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()));
  }
});
