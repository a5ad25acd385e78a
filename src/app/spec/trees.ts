import { actionFunction } from '../library/action-function.ts';

// Actions under the specification's names.

/** The digest of a file as lower-case hex. */
export const file_checksum = actionFunction('FA_file_checksum', 'file_checksum');

/** Whether the digest of a file is the expected one. */
export const verify_checksum = actionFunction('FA_verify_checksum', 'verify_checksum');

/** Groups of files with the same content below a directory. */
export const find_duplicates = actionFunction('FA_find_duplicates', 'find_duplicates');

/** Writes down the size and the digest of every file below a directory. */
export const write_manifest = actionFunction('FA_write_manifest', 'write_manifest');

/** Compares a directory with its manifest. */
export const verify_manifest = actionFunction('FA_verify_manifest', 'verify_manifest');

/** Makes a directory tree like another one. */
export const sync_dir = actionFunction('FA_sync_dir', 'sync_dir');
