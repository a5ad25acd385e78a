import { lstatSync, mkdirSync, symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createInstance } from '../../src/app/create.ts';
import type { Role } from '../../src/core/args.ts';
import type { Example } from '../../src/core/example.ts';
import { type TempDir, tempDir } from '../support/temp-dir.ts';
import { loadActions } from './all-actions.ts';

// One rule for a path with nothing behind it, or the wrong thing. Whoever wants a file and finds none, or a directory, fails with
// FileNotExistsException; whoever wants a directory and finds none, or a file, with DirNotExistsException. Whoever would write below a
// file fails with PathExistsException, whoever would write a file over a directory with FileAccessException, a tree over a file with
// PathExistsException. Families that have a type of their own in the reference use that for what they read.

const OWN: Readonly<Record<string, string>> = {
  FA_apply_dir_diff: 'DiffException',
  FA_apply_patch: 'DiffException',
  FA_audit_count: 'AuditException',
  FA_audit_purge: 'AuditException',
  FA_audit_recent: 'AuditException',
  FA_cas_copy_to: 'CASException',
  FA_cas_put: 'CASException',
  FA_cas_read: 'CASException',
  FA_config_apply: 'ConfigException',
  FA_create_tar: 'TarException',
  FA_decrypt_file: 'CryptoException',
  FA_detect_archive_format: 'ArchiveException',
  FA_diff_dirs: 'DiffException',
  FA_diff_files: 'DiffException',
  FA_encrypt_file: 'CryptoException',
  FA_execute_files: 'JsonActionException',
  FA_extract_archive: 'ArchiveException',
  FA_extract_tar: 'TarException',
  FA_grep: 'GrepException',
  FA_json_delete: 'JsonEditException',
  FA_json_get: 'JsonEditException',
  FA_json_set: 'JsonEditException',
  FA_list_archive: 'ArchiveException',
  FA_queue_ack: 'QueueException',
  FA_queue_dead_letters: 'QueueException',
  FA_queue_purge: 'QueueException',
  FA_queue_size: 'QueueException',
  FA_read_action_json: 'JsonActionException',
  FA_read_zip_file: 'ArchiveException',
  FA_render_file: 'TemplateException',
  FA_restore_from_trash: 'VersioningException',
  FA_rotate_backups: 'RotateException',
  FA_send_to_trash: 'VersioningException',
  FA_set_zip_password: 'ArchiveException',
  FA_unzip_all: 'ArchiveException',
  FA_unzip_file: 'ArchiveException',
  FA_version_restore: 'VersioningException',
  FA_version_save: 'VersioningException',
  FA_watch_start: 'TriggerException',
  FA_zip_file_info: 'ArchiveException',
  FA_zip_info: 'ArchiveException',
  'FA_verify_manifest manifest_path': 'ManifestException',
};

/** Where what is written to has a word of its own. */
const OWN_TARGETS: Readonly<Record<string, string>> = {
  'FA_apply_dir_diff target': 'DiffException',
  'FA_create_tar target': 'TarException',
  'FA_extract_archive target': 'ArchiveException',
  'FA_extract_tar target_dir': 'TarException',
  'FA_lock_acquire db_path': 'StoreException',
  'FA_lock_refresh db_path': 'StoreException',
  'FA_lock_release db_path': 'StoreException',
  'FA_queue_dequeue db_path': 'QueueException',
  'FA_queue_enqueue db_path': 'QueueException',
  'FA_queue_nack db_path': 'QueueException',
  'FA_restore_from_trash destination': 'VersioningException',
  'FA_sync_dir dst': 'SyncException',
  'FA_unzip_all extract_path': 'ArchiveException',
  'FA_unzip_file extract_path': 'ArchiveException',
  'FA_version_restore path': 'VersioningException',
  'FA_with_lock db_path': 'StoreException',
  'FA_write_action_json json_save_path': 'JsonActionException',
};

/** The directory must be there: then what is below a file is a directory that is missing. */
const NEEDS_DIRECTORY: readonly string[] = [
  'FA_create_file file_path',
  'FA_copy_all_file_to_dir target_dir_path',
  'FA_rename_file origin_file_path',
];
/** They want a file but pack, move or tell of anything. */
const TAKES_BOTH: readonly string[] = ['FA_create_tar source', 'FA_zip_file file'];

/** What fails is not the path: a dry run does not look who holds a lock. */
const UNFORESEEN: readonly string[] = ['FA_lock_refresh db_path'];

type Wrong = 'missing' | 'below' | 'other kind';

const pathIn = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value);

for (const { about, action } of await loadActions()) {
  if (about.effects.includes('network')) continue;
  for (const [argument, { roles }] of Object.entries(action.args)) {
    const place = `${about.name} ${argument}`;
    const example = action.examples.find(({ args }) => typeof pathIn(args[argument]) === 'string');
    const isPath = roles.some((role) => /^(?:reads|writes|removes)/.test(role));
    if (!isPath || example === undefined || TAKES_BOTH.includes(place)) continue;
    describe(place, () => {
      test.each<Wrong>(['missing', 'below', 'other kind'])('says of a path that is wrong (%s) what all say', async (wrong) => {
        using dir = tempDir();
        const wanted = await setUp(dir, example, argument, roles);
        const path = spoil(dir, wanted, wrong);
        const call = { name: about.name, argument, example };
        const planned = await failureOf(dir, { ...call, dryRun: true }, path);
        const type = await failureOf(dir, call, path);
        expect(planned === undefined && UNFORESEEN.includes(place) ? type : planned).toBe(type);
        expect(type === undefined || allowed(place, about.name, roles, wanted, wrong).includes(type), type).toBe(true);
      });
    });
  }
}

/** Makes the files of an example; tells which kind the argument is about. */
const setUp = async (
  dir: TempDir,
  { files = {}, dirs = [], links = {}, after = [], args }: Example,
  argument: string,
  roles: readonly Role[],
) => {
  for (const [path, content] of Object.entries(files))
    dir.write(path, typeof content === 'string' ? content : Buffer.from(content.base64, 'base64'));
  for (const path of dirs) mkdirSync(dir.at(path), { recursive: true });
  for (const [path, target] of Object.entries(links)) symlinkSync(target, dir.at(path));
  await using factotum = createInstance({ cwd: dir.path, log: { level: 'error' } });
  await factotum.run(after);
  const there = lstatSync(dir.at(String(pathIn(args[argument]))), { throwIfNoEntry: false });
  const isTree = there?.isDirectory() ?? roles.some((role) => role.endsWith('Tree'));
  return isTree ? 'directory' : 'file';
};

/** Makes a path that is wrong. */
const spoil = (dir: TempDir, wanted: 'directory' | 'file', wrong: Wrong): string => {
  if (wrong === 'missing') return 'not-there';
  if (wrong === 'below' || wanted === 'directory') dir.write('a-file', 'x');
  else mkdirSync(dir.at('a-directory/inside'), { recursive: true });
  return wrong === 'below' ? 'a-file/below' : wanted === 'directory' ? 'a-file' : 'a-directory';
};

interface Call {
  readonly name: string;
  readonly argument: string;
  readonly example: Example;
  readonly dryRun?: boolean;
}

const failureOf = async (dir: TempDir, { name, argument, example, dryRun = false }: Call, path: string): Promise<string | undefined> => {
  const given = example.args[argument];
  const args = { ...example.args, [argument]: Array.isArray(given) ? [path, ...given.slice(1)] : path };
  await using factotum = createInstance({ cwd: dir.path, log: { level: 'error' } });
  const { results } = await factotum.run({ actions: [[name, args]], dry_run: dryRun });
  return results[0]?.error?.type;
};

const allowed = (place: string, name: string, roles: readonly Role[], wanted: 'directory' | 'file', wrong: Wrong): readonly string[] => {
  const isRead = roles.some((role) => role.startsWith('reads') || (role.startsWith('removes') && !roles.includes('writesTree')));
  const absent = wanted === 'directory' ? 'DirNotExistsException' : 'FileNotExistsException';
  if (isRead) return [OWN[place] ?? OWN[name] ?? absent];
  if (NEEDS_DIRECTORY.includes(place))
    return wrong === 'other kind' && wanted === 'file' ? ['FileAccessException'] : ['DirNotExistsException'];
  const own = OWN_TARGETS[place];
  // A lock that is nowhere is not held.
  const owns = own === 'StoreException' ? [own, 'LockTimeoutException'] : own === undefined ? [] : [own];
  if (wrong === 'below') return ['PathExistsException', ...owns];
  if (own !== undefined) return owns;
  return wrong === 'missing' ? [] : [wanted === 'file' ? 'FileAccessException' : 'PathExistsException'];
};
