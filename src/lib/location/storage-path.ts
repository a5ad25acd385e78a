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

/** The directory that holds it; the empty text for what is in the root. */
export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** All directories above it, the nearest last. */
export const parentsOf = (path: string): string[] => {
  const names = path.split('/').slice(0, -1);
  return names.map((_, at) => names.slice(0, at + 1).join('/'));
};

/** True for what is somewhere below a directory; everything is below the root. */
export const isBelow = (path: string, directory: string): boolean =>
  directory === '' ? path !== '' : path.startsWith(directory) && path[directory.length] === '/';

/** The form in which two paths are the same that differ only in large and small letters. */
export const withoutCase = (path: string): string => path.toUpperCase().toLowerCase();
