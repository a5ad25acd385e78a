import type { WatchRules } from '../../../core/ports/watchers.ts';
import { isOwnName } from '../../../lib/fs/own-names.ts';
import { compileGlob } from '../../../lib/text/globs.ts';

/** Which files below a root count; paths are relative to it, with `/`. */
export interface Scope {
  covers(path: string): boolean;
  /** Whether a directory may hold files that count. */
  enters(path: string): boolean;
  /** Whether a file counts and all directories above it are entered. */
  sees(path: string): boolean;
  /** The file that waits for a marker of this name; undefined where that is no marker. */
  markedBy(name: string): string | undefined;
  /** The marker that a file waits for; undefined where it waits for none. */
  markerOf(path: string): string | undefined;
}

export interface ScopeRules extends Pick<WatchRules, 'include' | 'exclude' | 'recursive' | 'readyMarker'> {
  /** The one file that is watched; undefined for a directory. */
  readonly only: string | undefined;
}

/** Compiles patterns: those without `/` are for names, the others for paths. Throws `ValidationException` for what is none. */
export const createScope = ({ include, exclude, recursive, readyMarker, only }: ScopeRules): Scope => {
  const included = include.map((pattern) => pathTest(pattern, { ofFiles: true }));
  const excluded = exclude.map((pattern) => pathTest(pattern, { ofFiles: false }));
  const [before = '', after = ''] = readyMarker?.split('*') ?? [];

  const markedBy = (name: string): string | undefined =>
    readyMarker !== null && name.length > before.length + after.length && name.startsWith(before) && name.endsWith(after)
      ? name.slice(before.length, name.length - after.length)
      : undefined;

  const covers = (path: string): boolean => {
    if (only !== undefined) return path === only;
    const name = nameOf(path);
    if (isOwnName(name) || markedBy(name) !== undefined) return false;
    return !excluded.some((test) => test(path)) && (included.length === 0 || included.some((test) => test(path)));
  };

  const enters = (path: string): boolean =>
    recursive && only === undefined && !isOwnName(nameOf(path)) && !excluded.some((test) => test(path));

  return {
    covers,
    enters,
    markedBy,
    sees: (path) => covers(path) && directoriesAbove(path).every(enters),
    markerOf: (path) => (readyMarker === null ? undefined : parentOf(path) + before + nameOf(path) + after),
  };
};

const pathTest = (pattern: string, { ofFiles }: { readonly ofFiles: boolean }): ((path: string) => boolean) => {
  const { hasPath, test } = compileGlob(pattern, { dot: true, ofFiles });
  return hasPath ? test : (path) => test(nameOf(path));
};

const directoriesAbove = (path: string): string[] =>
  path
    .split('/')
    .slice(0, -1)
    .map((_, depth, names) => names.slice(0, depth + 1).join('/'));

/** The last name of a path. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** What stands before the last name, with its `/`; empty in the root. */
export const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

/** The path of a name in a directory, which is empty for the root. */
export const childOf = (directory: string, name: string): string => (directory === '' ? name : `${directory}/${name}`);
