/** Asks a service whether it is there until something has happened; answers the longest wait in milliseconds, but for one in a hundred. */
export const watchHealth = async (url: string, until: Promise<unknown>): Promise<number> => {
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  until.then(over, over);
  const waits: number[] = [];
  do {
    const began = performance.now();
    await (await fetch(`${url}/healthz`)).text();
    waits.push(performance.now() - began);
  } while (!isOver);
  waits.sort((one, other) => one - other);
  return waits[Math.floor(waits.length * 0.99)] ?? 0;
};
