import type { ActionMap } from '../actions.generated.ts';
import { callAction } from './call-action.ts';

type ArgsOf<N extends keyof ActionMap, Given extends string> = Omit<ActionMap[N]['args'], Given>;

// Actions as plain functions; options have the names of their arguments.

/** The digest of a file as lower-case hex. */
export const fileChecksum = (path: string, algorithm = 'sha256', chunkBytes?: number): Promise<string> =>
  callAction('FA_file_checksum', { path, algorithm, ...(chunkBytes !== undefined && { chunk_size: chunkBytes }) });

/** Whether the digest of a file is the expected one. */
export const verifyChecksum = (path: string, expected: string, algorithm = 'sha256', chunkBytes?: number): Promise<boolean> =>
  callAction('FA_verify_checksum', { path, expected, algorithm, ...(chunkBytes !== undefined && { chunk_size: chunkBytes }) });

/** Groups of files with the same content below a directory. */
export const findDuplicates = (root: string, options: ArgsOf<'FA_find_duplicates', 'root'> = {}) =>
  callAction('FA_find_duplicates', { root, ...options });

/** Writes down the size and the digest of every file below a directory. */
export const writeManifest = (root: string, manifestPath: string, options: ArgsOf<'FA_write_manifest', 'root' | 'manifest_path'> = {}) =>
  callAction('FA_write_manifest', { root, manifest_path: manifestPath, ...options });

/** Compares a directory with its manifest. */
export const verifyManifest = (root: string, manifestPath: string, options: ArgsOf<'FA_verify_manifest', 'root' | 'manifest_path'> = {}) =>
  callAction('FA_verify_manifest', { root, manifest_path: manifestPath, ...options });
