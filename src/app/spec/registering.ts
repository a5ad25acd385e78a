import { either, text } from '../../core/args.ts';
import type { Registrable, Registry } from '../../core/registry.ts';
import { buildDefaultRegistry } from '../default-registry.ts';
import { callable, callableLater, handed } from '../library/arguments.ts';
import { addCommandToExecutor, registerGroup } from '../library/library.ts';
import { addPackageToExecutor, handOverPlugins } from '../plugins.ts';

type Mapping = Readonly<Record<string, Registrable>>;
type Register = (mapping: Mapping) => void;

const mappingShape = handed<Mapping>('an object of functions or definitions', (value) => typeof value === 'object' && value !== null);
const registerShape = handed<Register>('a function', (value) => typeof value === 'function');
const registryShape = handed<Registry>('a registry', (value) => typeof (value as Partial<Registry> | null)?.registerFamily === 'function');

/** Makes functions or definitions known under their names, at once and to every caller; replaces what had the name. */
export const add_command_to_executor = callable(
  'add_command_to_executor',
  [['mapping', either('What is called how.', [mappingShape])]],
  ({ mapping }) => addCommandToExecutor(mapping),
);

/** A registry with every built-in action; its code is loaded when first needed. */
export const build_default_registry = callable('build_default_registry', [], () => buildDefaultRegistry());

/** Loads the plugins of the working project, into the shared instance unless they are handed over; answers how many actions came. */
export const load_entry_point_plugins = callableLater(
  'load_entry_point_plugins',
  [['register', either('Takes the actions of a plugin.', [registerShape], { default: null })]],
  ({ register }) => handOverPlugins(register ?? undefined),
);

/** Registers the functions of an installed package in the shared instance; answers how many, 0 where it cannot be imported. */
export const add_package_to_executor = callableLater(
  'add_package_to_executor',
  [
    ['package_name', text('The name of the package.', { minLength: 1 })],
    ['project', text('The directory from which it is found.', { default: null })],
  ],
  ({ package_name, project }) => addPackageToExecutor(package_name, project ?? undefined),
);

const registering = (group: string, name: string = group) =>
  callable(`register_${name}_ops`, [['registry', either('Where they become known.', [registryShape])]], ({ registry }) =>
    registerGroup(group)(registry),
  );

// One helper for each group of built-in actions: it makes them known in any registry.
export const register_archive_ops = registering('archive');
export const register_azure_blob_ops = registering('remote-azure', 'azure_blob');
export const register_crypto_ops = registering('crypto');
export const register_data_ops = registering('data');
export const register_files_ops = registering('files');
export const register_flow_ops = registering('flow');
export const register_ftp_ops = registering('remote-ftp', 'ftp');
export const register_notify_ops = registering('notify');
export const register_reliability_ops = registering('reliability');
export const register_remote_ops = registering('remote');
export const register_s3_ops = registering('remote-s3', 's3');
export const register_search_ops = registering('search');
export const register_sftp_ops = registering('remote-sftp', 'sftp');
export const register_shell_ops = registering('shell');
export const register_smb_ops = registering('remote-smb', 'smb');
export const register_state_ops = registering('state');
export const register_sync_ops = registering('sync');
export const register_system_ops = registering('system');
export const register_text_ops = registering('text');
export const register_webdav_ops = registering('remote-webdav', 'webdav');
