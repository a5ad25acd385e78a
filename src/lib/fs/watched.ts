import type { Context } from '../../core/context.ts';
import type { Grant } from '../../core/files.ts';
import type { Progress } from '../../core/progress.ts';
import { openTally } from './walk-tally.ts';

/** Work that ends sooner is not shown. */
const SHOW_EVERY_MS = 250;

/** Does bulk work under a grant, shows its progress, and stops it with the command or when its progress entry is cancelled. */
export const watched = async <T>(
  { signal, progress }: Context,
  grant: Grant,
  name: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const controller = new AbortController();
  const follow = (followed: AbortSignal) => () => controller.abort(followed.reason);
  const stop = follow(signal);
  const tally = openTally(grant);
  let shown: Progress | undefined;
  let told = 0;
  const show = () => {
    if (shown === undefined) {
      shown = progress(name, undefined, 'items');
      shown.signal.addEventListener('abort', follow(shown.signal), { once: true });
    }
    const done = tally.files();
    if (!shown.signal.aborted) shown.advance(done - told);
    told = done;
  };
  signal.throwIfAborted();
  signal.addEventListener('abort', stop, { once: true });
  const timer = setInterval(show, SHOW_EVERY_MS);
  try {
    return await work(controller.signal);
  } finally {
    clearInterval(timer);
    signal.removeEventListener('abort', stop);
  }
};
