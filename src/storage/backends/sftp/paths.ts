/** A path of the storage as it goes over the wire: relative to the login directory, unless it begins with a slash. */
export const wirePath = (path: string): string => (path === '' ? '.' : path.startsWith('~') ? `./${path}` : path);

/** The directory that holds it: `/` for what is at the top of the machine, empty for what is in the login directory. */
export const directoryOf = (path: string): string => {
  const slash = path.lastIndexOf('/');
  return slash === 0 ? '/' : path.slice(0, Math.max(0, slash));
};

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** A name in a directory. */
export const inDirectory = (directory: string, name: string): string =>
  directory === '' ? name : directory.endsWith('/') ? `${directory}${name}` : `${directory}/${name}`;
