import {
  DirNotExistsException,
  type ExceptionOptions,
  FileNotExistsException,
  PathExistsException,
  StorageException,
} from '../core/errors.ts';
import type { StorageCode } from '../core/storage.ts';

/** The error type of a backend. */
export type StorageFault = new (message: string, options: ExceptionOptions) => StorageException;

/** The refusals that all backends have in common, in the error type of one of them. */
export interface StorageFaults {
  notFound(path: string): StorageException;
  exists(path: string): StorageException;
  notEmpty(path: string): StorageException;
  isDirectory(path: string): StorageException;
  /** Somebody else has written it since it was looked at. */
  changed(path: string): StorageException;
  /** `what` is the sentence about what cannot be done. */
  unsupported(what: string, path: string): StorageException;
  /** A name that the service cannot hold; `why` names the character. */
  badName(path: string, why: string): StorageException;
  /** Anything else that is understood. */
  because(code: StorageCode, message: string, options?: ExceptionOptions): StorageException;
}

/** `location` is the root of the storage, so that errors show where something is as users write it. */
export const createFaults = (Fault: StorageFault, location: string): StorageFaults => {
  const at = (path: string): string => `${location}/${path}`;
  const refuse = (code: StorageCode, path: string, message: string): StorageException =>
    new Fault(message, { context: { code, location: at(path) } });
  return {
    notFound: (path) => refuse('not_found', path, `Nothing is at ${at(path)}; check the location, list the directory above it.`),
    exists: (path) => refuse('exists', path, `${at(path)} exists already; remove it first or allow replacing.`),
    notEmpty: (path) => refuse('not_empty', path, `The directory ${at(path)} is not empty; remove what is in it first.`),
    isDirectory: (path) => refuse('is_directory', path, `${at(path)} is a directory; name a file.`),
    changed: (path) => refuse('changed', path, `${at(path)} was changed meanwhile; start again with what is there now.`),
    unsupported: (what, path) => refuse('unsupported', path, `${what} (${at(path)})`),
    badName: (path, why) => refuse('bad_name', path, `${at(path)} cannot be stored there: ${why}; choose another name.`),
    because: (code, message, { context, ...options } = {}) => new Fault(message, { ...options, context: { ...context, code } }),
  };
};

/** What a fault of a storage is about; undefined for any other fault. The file port has error types of its own, which say the same. */
export const storageCode = (fault: unknown): StorageCode | undefined => {
  if (fault instanceof PathExistsException) return 'exists';
  if (fault instanceof FileNotExistsException || fault instanceof DirNotExistsException) return 'not_found';
  // Only `createFaults` and the backends set it, and they take it from the union.
  return fault instanceof StorageException ? (fault.context.code as StorageCode | undefined) : undefined;
};
