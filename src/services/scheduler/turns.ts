/** Does one piece of work after the other. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** Makes a queue: a piece that fails keeps no other from its turn. */
export const createTurns = (): InTurn => {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work);
    last = turn.catch(() => {});
    return turn;
  };
};
