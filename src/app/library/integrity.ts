import { actionFunction } from './action-function.ts';

// Actions as plain functions; arguments have the names and the order of the action's.

/** The digest of a file as lower-case hex. */
export const fileChecksum = actionFunction('FA_file_checksum', 'fileChecksum');

/** Whether the digest of a file is the expected one. */
export const verifyChecksum = actionFunction('FA_verify_checksum', 'verifyChecksum');

/** Groups of files with the same content below a directory. */
export const findDuplicates = actionFunction('FA_find_duplicates', 'findDuplicates');

/** Writes down the size and the digest of every file below a directory. */
export const writeManifest = actionFunction('FA_write_manifest', 'writeManifest');

/** Compares a directory with its manifest. */
export const verifyManifest = actionFunction('FA_verify_manifest', 'verifyManifest');
