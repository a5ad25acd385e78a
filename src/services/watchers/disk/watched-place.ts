import { realpath } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { isNetworkMount } from './network-mount.ts';

/** Where a watcher looks. */
export interface WatchedPlace {
  /** The directory that is looked at: that of the file where a file is watched, which may be replaced by another one. */
  readonly base: string;
  /** The same without links on the way. */
  readonly realBase: string;
  /** The name of the one file that is watched; undefined for a directory. */
  readonly only: string | undefined;
  /** Changes by other machines give no hints. */
  readonly isNetwork: boolean;
}

/** Finds out about a path, which need not be there now. */
export const findPlace = async (path: string, isFile: boolean): Promise<WatchedPlace> => {
  const base = isFile ? dirname(path) : path;
  return {
    base,
    realBase: await realpath(base).catch(() => base),
    only: isFile ? basename(path) : undefined,
    isNetwork: await isNetworkMount(base),
  };
};
