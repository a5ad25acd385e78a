/** Calls back once, after a while; what it answers takes that back. Tests hand in their own. */
export type SetTimer = (work: () => void, ms: number) => () => void;

/** Timers of the process. They do not keep it alive: what they would find is found at the next start. */
export const systemTimer: SetTimer = (work, ms) => {
  const timer = setTimeout(work, ms);
  timer.unref();
  return () => clearTimeout(timer);
};
