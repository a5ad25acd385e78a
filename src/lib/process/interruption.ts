import { setMaxListeners } from 'node:events';

/** Longer timers fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** What ends work before it is done; disposal frees timer and listener. */
export interface Interruption extends Disposable {
  readonly happens: Promise<'aborted' | 'timed out'>;
}

/** Waits for the signal or the end of the time, whichever comes first. */
export const interruptionOf = ({ signal, timeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs?: number }): Interruption => {
  const free: (() => void)[] = [];
  const happens = new Promise<'aborted' | 'timed out'>((resolve) => {
    const abort = () => resolve('aborted');
    if (signal.aborted) return abort();
    setMaxListeners(0, signal); // all programs of a run listen to one signal
    signal.addEventListener('abort', abort);
    free.push(() => signal.removeEventListener('abort', abort));
    if (timeoutMs === undefined) return;
    const timer = setTimeout(() => resolve('timed out'), Math.min(timeoutMs, MAX_TIMER_MS));
    free.push(() => clearTimeout(timer));
  });
  return {
    happens,
    [Symbol.dispose]() {
      for (const each of free) each();
    },
  };
};
