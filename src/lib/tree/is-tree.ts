/** Whether a path stands for a directory with all in it; the empty one is that of the root. */
export const isTree = (relative: string): boolean => relative === '' || relative.endsWith('/');
