import type { WalkedDirectory } from '../fs/walk.ts';
import { compileGlob } from '../text/globs.ts';

/** Patterns as an action takes them. */
export interface EntryPatterns {
  /** What to tell; null for everything. */
  readonly include: string | null;
  readonly exclude: readonly string[];
  readonly ignoreCase: boolean;
}

/** Judges entries of a walk; names with a dot at their beginning are like others. */
export interface EntryFilter {
  /** Asked of files only. */
  includes(name: string, directory: WalkedDirectory): boolean;
  /** Left out, and with it everything below. */
  excludes(name: string, directory: WalkedDirectory): boolean;
}

type Test = (name: string, directory: WalkedDirectory) => boolean;

/** Compiles patterns: those without `/` are for names, the others for paths from the walked root. */
export const createEntryFilter = ({ include, exclude, ignoreCase }: EntryPatterns): EntryFilter => {
  const excluded = exclude.map((pattern) => entryTest(pattern, { ignoreCase, ofFiles: false }));
  return {
    includes: include === null || include === '*' ? () => true : entryTest(include, { ignoreCase, ofFiles: true }),
    excludes: excluded.length === 0 ? () => false : (name, directory) => excluded.some((test) => test(name, directory)),
  };
};

const entryTest = (pattern: string, options: { readonly ignoreCase: boolean; readonly ofFiles: boolean }): Test => {
  const { hasPath, test } = compileGlob(pattern, { dot: true, ...options });
  return hasPath ? (name, { relative }) => test(relative + name) : (name) => test(name);
};
