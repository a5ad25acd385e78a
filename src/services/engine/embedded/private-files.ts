import { accessSync, closeSync, constants, mkdirSync, openSync, statSync } from 'node:fs';
import { StoreException } from '../../../core/errors.ts';
import { codeOf } from '../../../lib/fs/system-fault.ts';

/** Makes a directory that only its owner can look into; refuses one that others can. */
export const makePrivateDirectory = (directory: string): void => {
  try {
    mkdirSync(directory, { mode: 0o700 }); // by itself first: with its parents Node calls a read-only disk a missing directory
  } catch (fault) {
    if (codeOf(fault) === 'ENOENT') mkdirSync(directory, { recursive: true, mode: 0o700 });
    else if (codeOf(fault) !== 'EEXIST') throw fault;
  }
  demandPrivate(directory);
};

/**
 * Makes an empty file for its owner alone, unless there is one that can be written. SQLite gives the files beside a database the same
 * rights. An existing file is never opened here: closing it again would drop the locks that this process has on it.
 */
export const makeFile = (file: string): void => {
  try {
    closeSync(openSync(file, constants.O_CREAT | constants.O_EXCL | constants.O_RDWR, 0o600));
  } catch (fault) {
    if (codeOf(fault) !== 'EEXIST') throw fault;
    accessSync(file, constants.R_OK | constants.W_OK); // SQLite would say less
  }
};

const OF_OTHERS = 0o077;

/** Refuses what others have any right to. */
export const demandPrivate = (path: string): void => {
  const { mode } = statSync(path);
  if (process.platform === 'win32' || (mode & OF_OTHERS) === 0) return;
  const rights = (mode & 0o777).toString(8).padStart(4, '0');
  throw new StoreException(`${path} has the rights ${rights}, so that others can see what is stored; run chmod go= ${path}.`, {
    context: { path, mode: rights },
  });
};
