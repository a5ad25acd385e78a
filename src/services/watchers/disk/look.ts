import type { Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { codeOf } from '../../../lib/fs/system-fault.ts';

/** What stands at a path. Links are not followed. */
export type Look =
  | { readonly kind: 'file'; readonly fingerprint: string; readonly size: number }
  | { readonly kind: 'directory' | 'other' };

/** What stands at a path; undefined where nothing does. */
export const lookAt = async (path: string): Promise<Look | undefined> => {
  try {
    const stats = await lstat(path);
    if (stats.isFile()) return { kind: 'file', fingerprint: fingerprintOf(stats), size: stats.size };
    return { kind: stats.isDirectory() ? 'directory' : 'other' };
  } catch (fault) {
    if (isGone(fault)) return undefined;
    throw fault;
  }
};

/** Changes whenever the content may have, and stays when the file is renamed. */
const fingerprintOf = ({ ino, size, mtimeMs }: Stats): string => `${ino}-${size}-${mtimeMs}`;

/** What a directory holds, as far as it matters here. */
export interface Names {
  readonly files: readonly string[];
  readonly directories: readonly string[];
}

/** The names in a directory; undefined where it is gone. */
export const readNames = async (path: string): Promise<Names | undefined> => {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    // Some file systems do not tell kinds: what is neither is looked at like a file.
    const isPlain = (entry: (typeof entries)[number]) =>
      entry.isFile() || !(entry.isDirectory() || entry.isSymbolicLink() || entry.isSocket() || entry.isFIFO());
    return {
      files: entries.filter(isPlain).map(({ name }) => name),
      directories: entries.filter((entry) => entry.isDirectory()).map(({ name }) => name),
    };
  } catch (fault) {
    if (isGone(fault)) return undefined;
    throw fault;
  }
};

const isGone = (fault: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(codeOf(fault) ?? '');
