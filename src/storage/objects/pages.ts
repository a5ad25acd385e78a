import { isTransient } from '../../core/transient.ts';
import { systemWait } from '../../lib/async/wait.ts';

const ATTEMPTS = 4;
const WAIT_MS = 250;

/** Asks for a page of a list until it comes: whoever lists has been told the pages before it, and cannot begin anew. */
export const askedAgain = async <T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask();
    } catch (fault) {
      if (attempt === ATTEMPTS || signal.aborted || !isTransient(fault)) throw fault;
    }
    await systemWait(WAIT_MS * 2 ** (attempt - 1), signal);
  }
};
