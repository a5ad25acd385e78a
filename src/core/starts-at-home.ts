/** Whether a path begins with `~`, which stands for the home directory in shells only: as a name it would make a directory that nobody wanted. */
export const startsAtHome = (path: string): boolean => path.startsWith('~') && /^~(?:[\\/]|$)/.test(path);
