import { PathTraversalException } from '../../core/errors.ts';

/** Everything that no path of a storage may hold: control characters are no names, half a surrogate pair is no text. */
const FORBIDDEN = /[\u0000-\u001f\u007f]|\p{Surrogate}/u;

/** What is wrong with a path of a storage, in words behind its name; undefined where nothing is. The root is the empty text. */
export const faultOfPath = (path: string): string | undefined => {
  if (path === '') return undefined;
  if (FORBIDDEN.test(path)) return 'holds a control character or half of a surrogate pair';
  for (const name of path.split('/')) {
    if (name === '') return 'has an empty name between two slashes';
    if (name === '.' || name === '..') return `has the name ${JSON.stringify(name)}, which means another directory`;
  }
  return undefined;
};

/**
 * Names that come back from a service are as little trusted as those that callers write: `../x` in a listing would end up outside of the
 * directory that it is copied to.
 */
export const demandPlainPath = (path: string, location: string): string => {
  const fault = faultOfPath(path);
  if (fault === undefined) return path;
  throw new PathTraversalException(`The path ${JSON.stringify(path.slice(0, 200))} in ${location} ${fault}; it is not used.`, {
    context: { location, path: path.slice(0, 200).replace(/\p{Surrogate}/gu, '\uFFFD') },
  });
};

export const joinPath = (...names: readonly string[]): string => names.filter((name) => name !== '').join('/');

/** The directory that holds it; the empty text for what is in the root. */
export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** Its last name. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** All directories above it, the nearest last. */
export const parentsOf = (path: string): string[] => {
  const names = path.split('/').slice(0, -1);
  return names.map((_, at) => names.slice(0, at + 1).join('/'));
};

/** True for what is somewhere below a directory; everything is below the root. */
export const isBelow = (path: string, directory: string): boolean =>
  directory === '' ? path !== '' : path.startsWith(directory) && path[directory.length] === '/';
