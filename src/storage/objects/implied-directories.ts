import { faultOfPath, parentsOf } from '../../lib/location/storage-path.ts';

/**
 * The directories that names imply, each told once, before what is in it. Names come in the order of their bytes, so that everything below
 * a directory comes together.
 */
export const impliedDirectories = (top: string) => {
  let open: readonly string[] = [];
  /** Those above a path that were not told yet; one with a slash at its end is a directory itself. */
  return (path: string): string[] => {
    const above = parentsOf(path).filter((each) => each.length > top.length);
    const fresh = above.filter((each) => !open.includes(each));
    open = above;
    return fresh;
  };
};

/** Whether a name out of a listing can be used as a path; others are left out, because nobody could say which file is meant. */
export const isUsable = (path: string): boolean => path !== '' && faultOfPath(path) === undefined;
