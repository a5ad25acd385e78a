/** Calls back once, after a while; what it answers takes that back. Tests hand in their own. */
export type SetTimer = (work: () => void, ms: number) => () => void;

/** Timers of the process. They do not keep it alive: what is due is in the store. */
export const systemTimer: SetTimer = (work, ms) => {
  const timer = setTimeout(work, ms);
  timer.unref();
  return () => clearTimeout(timer);
};
