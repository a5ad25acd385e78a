const LOOK_MS = 250;

/**
 * Calls `onGone` once when the process that started this one has ended. npm starts scripts through a shell, and hands a signal to that
 * shell only: this process would never hear of it.
 */
export const followParent = (onGone) => {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onGone();
  }, LOOK_MS);
  timer.unref();
};
