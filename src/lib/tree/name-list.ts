/** Names that may be very many: how many there are, and the first of them. */
export interface NameList {
  count: number;
  readonly names: string[];
}

export const noNames = (): NameList => ({ count: 0, names: [] });

/** Adds a name; only the first `most` are kept. */
export const addName = (list: NameList, name: string, most: number): void => {
  list.count += 1;
  if (list.names.length < most) list.names.push(name);
};

/** Adds the names of another list. */
export const addNameList = (list: NameList, { count, names }: NameList, most: number): void => {
  list.count += count;
  for (const name of names) {
    if (list.names.length >= most) return;
    list.names.push(name);
  }
};
