/** Watches that a task gives signs. It waits for one from its start; a task that itself waits for something is not watched meanwhile. */
export interface SilenceWatch {
  /** The task gave a sign, or has something to do again. */
  expect(): void;
  /** The task waits for us. */
  pause(): void;
  close(): void;
}

/** Calls `tooLong` once, when there was no sign for this long. */
export const openSilenceWatch = (maxSilentMs: number, tooLong: () => void): SilenceWatch => {
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const pause = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const watch: SilenceWatch = {
    expect() {
      if (isClosed) return;
      if (timer !== undefined) timer.refresh();
      else timer = setTimeout(tooLong, maxSilentMs);
    },
    pause,
    close() {
      isClosed = true;
      pause();
    },
  };
  watch.expect();
  return watch;
};
