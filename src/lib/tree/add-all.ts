/** Adds to a list one by one: a hundred thousand arguments are more than a call can take. */
export const addAll = <T>(to: T[], more: Iterable<T>): void => {
  for (const each of more) to.push(each);
};
