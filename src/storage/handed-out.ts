/** Waits no longer than the signal allows; the work itself goes on, because others may wait for it too. */
export const orAbort = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
    if (signal.aborted) stop();
  });

export interface HandingOut {
  readonly signal: AbortSignal;
  /** Called once, however the reader ends. */
  readonly leave: () => void;
  readonly translated: (fault: unknown) => unknown;
}

/** Content that gives back what it holds however its reader ends: at the end, in the middle, by a fault or by the signal. */
export const handedOut = (chunks: AsyncGenerator<Uint8Array>, { signal, leave, translated }: HandingOut): AsyncIterable<Uint8Array> => {
  let isLeft = false;
  const end = (): void => {
    if (isLeft) return;
    isLeft = true;
    signal.removeEventListener('abort', end);
    leave();
  };
  signal.addEventListener('abort', end, { once: true });
  const iterator: AsyncIterator<Uint8Array> = {
    async next() {
      try {
        const each = await orAbort(chunks.next(), signal);
        if (each.done === true) end();
        return each;
      } catch (fault) {
        end();
        throw translated(fault);
      }
    },
    async return() {
      end();
      return { done: true, value: undefined };
    },
  };
  return { [Symbol.asyncIterator]: () => iterator };
};
