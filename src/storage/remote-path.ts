/** The directory that holds it: `/` for what is at the top of the machine, empty for what is in the login directory. */
export const directoryOf = (path: string): string => {
  const slash = path.lastIndexOf('/');
  return slash === 0 ? '/' : path.slice(0, Math.max(0, slash));
};

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** A name in a directory. */
export const inDirectory = (directory: string, name: string): string =>
  directory === '' ? name : directory.endsWith('/') ? `${directory}${name}` : `${directory}/${name}`;
