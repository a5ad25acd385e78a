import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { tempDir } from './temp-dir.ts';

/** A file system of its own, in memory. */
export interface Tmpfs extends Disposable {
  readonly path: string;
}

/** Mounts one; undefined where this process may not. */
export const mountTmpfs = (options = 'size=64m'): Tmpfs | undefined => {
  const dir = tempDir();
  const path = dir.at('mounted');
  mkdirSync(path);
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', path]).status !== 0) {
    dir[Symbol.dispose]();
    return undefined;
  }
  return {
    path,
    [Symbol.dispose]() {
      spawnSync('umount', ['-l', path]);
      dir[Symbol.dispose]();
    },
  };
};

const probe = mountTmpfs();
probe?.[Symbol.dispose]();

/** Whether tests can have such a file system. */
export const canMountTmpfs = probe !== undefined;

/** Mounts one where that is known to be possible. */
export const tmpfs = (options?: string): Tmpfs => {
  const mounted = mountTmpfs(options);
  if (mounted === undefined) throw new Error('A tmpfs could be mounted a moment ago.');
  return mounted;
};
