/** Lets work on the same name go on one after the other. */
export type InTurn = <T>(name: string, work: () => Promise<T>) => Promise<T>;

/** Work that waits is kept in order; a name nobody works on costs nothing. */
export const createTurns = (): InTurn => {
  const last = new Map<string, Promise<void>>();
  return (name, work) => {
    const turn = (last.get(name) ?? Promise.resolve()).then(work);
    const over = turn.then(
      () => {},
      () => {}, // whoever asked for this turn hears of it
    );
    last.set(name, over);
    void over.then(() => {
      if (last.get(name) === over) last.delete(name);
    });
    return turn;
  };
};
