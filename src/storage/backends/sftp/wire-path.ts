/** A path of the storage as it goes over the wire: relative to the login directory, unless it begins with a slash. */
export const wirePath = (path: string): string => (path === '' ? '.' : path.startsWith('~') ? `./${path}` : path);
