import { compileGlob } from '../text/globs.ts';

/** Tells whether a path, from the top of the transfer, takes part in it. */
export type Selection = (relative: string) => boolean;

export interface SelectOptions {
  /** Files that take part; none means all. */
  readonly include: readonly string[];
  /** What is left out, directories with everything in them. */
  readonly exclude: readonly string[];
}

/** A pattern with a slash is for whole paths, one without for names at any depth. */
export const createSelection = ({ include, exclude }: SelectOptions): Selection => {
  const included = include.map((pattern) => compileGlob(pattern, { dot: true, ofFiles: true }));
  const excluded = exclude.map((pattern) => compileGlob(pattern, { dot: true }));
  return (relative) => {
    const names = relative.split('/');
    const last = names.at(-1) ?? '';
    if (included.length > 0 && !included.some((glob) => glob.test(glob.hasPath ? relative : last))) return false;
    return !excluded.some((glob) => names.some((name, depth) => glob.test(glob.hasPath ? names.slice(0, depth + 1).join('/') : name)));
  };
};
