/** A directory's path as that of its parent and its name. */
export const divide = (relative: string): [parent: string, name: string] => {
  const slash = relative.lastIndexOf('/', relative.length - 2) + 1;
  return [relative.slice(0, slash), relative.slice(slash, -1)];
};
