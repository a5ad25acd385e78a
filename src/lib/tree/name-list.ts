/** Names that may be very many: how many there are, and the first of them in the order of texts, among a few others. */
export interface NameList {
  count: number;
  readonly names: string[];
  /** What comes behind this one is not among the first. */
  last?: string;
}

export const noNames = (): NameList => ({ count: 0, names: [] });

/** Adds a name; of all names the first `most` are kept, whatever the order they come in. */
export const addName = (list: NameList, name: string, most: number): void => {
  list.count += 1;
  keep(list, name, most);
};

/** Adds the names of another list. */
export const addNameList = (list: NameList, { count, names }: NameList, most: number): void => {
  list.count += count;
  for (const name of names) keep(list, name, most);
};

const keep = (list: NameList, name: string, most: number): void => {
  if (most === 0 || (list.last !== undefined && name > list.last)) return;
  list.names.push(name);
  // Seldom: sorting for each name would take longer than the rest of the work.
  if (list.names.length < 2 * most) return;
  list.names.sort();
  list.names.length = most;
  const last = list.names.at(-1);
  if (last !== undefined) list.last = last;
};
