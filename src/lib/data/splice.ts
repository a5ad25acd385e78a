/** A change of a text: `remove` characters go at `at`, `insert` comes in their place. */
export interface Splice {
  readonly at: number;
  readonly remove: number;
  readonly insert: string;
}

/** Carries out changes that do not overlap; those at one place in the order given. */
export const spliceText = (text: string, splices: readonly Splice[]): string => {
  const ordered = splices.map((splice, order) => ({ ...splice, order })).sort((a, b) => a.at - b.at || a.order - b.order);
  const pieces: string[] = [];
  let from = 0;
  for (const { at, remove, insert } of ordered) {
    pieces.push(text.slice(from, at), insert);
    from = at + remove;
  }
  return pieces.join('') + text.slice(from);
};
