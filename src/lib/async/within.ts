/** Waits until work has ended, but no longer than so many milliseconds. How it ends is for others to see. */
export const within = (ms: number, work: Promise<unknown>): Promise<void> =>
  new Promise((resolve) => {
    const patience = setTimeout(resolve, ms);
    const over = () => {
      clearTimeout(patience);
      resolve();
    };
    work.then(over, over);
  });
