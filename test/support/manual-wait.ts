import type { Wait } from '../../src/lib/async/wait.ts';
import type { ManualTime } from './manual-time.ts';

/** Waiting that ends when manual time has passed, or with its signal. */
export const manualWait =
  ({ setTimer }: Pick<ManualTime, 'setTimer'>): Wait =>
  (ms, signal) =>
    new Promise((resolve, reject) => {
      const stop = () => {
        forget();
        reject(signal.reason);
      };
      const forget = setTimer(() => {
        signal.removeEventListener('abort', stop);
        resolve();
      }, ms);
      signal.addEventListener('abort', stop, { once: true });
    });
