import { codeOf } from '../../lib/fs/system-fault.ts';
import type { Instance } from '../instance/instance.ts';

/** That many are told in full; whatever throws again and again would fill the disk with its complaints. */
const MOST_TOLD = 100;

/**
 * Keeps a service alive when something throws that nobody waited for, such as a timer of a plugin: what others have under way must not end
 * with it. Ends by being disposed of; whoever listened before listens again then.
 */
export const surviveStrayFaults = ({ log }: Pick<Instance, 'log'>): Disposable => {
  const others = process.listeners('uncaughtException');
  let told = 0;
  const survive: NodeJS.UncaughtExceptionListener = (fault, origin) => {
    // Whoever read what we print has gone: there is nobody left to tell.
    if (codeOf(fault) === 'EPIPE') for (const listener of others) listener(fault, origin);
    told += 1;
    if (told > MOST_TOLD) return;
    const stack = fault instanceof Error ? fault.stack : undefined;
    log(
      'error',
      `something failed that nobody waited for, perhaps in a plugin: ${fault instanceof Error ? fault.message : String(fault)}`,
      {
        stack,
      },
    );
    if (told === MOST_TOLD) log('error', 'further faults that nobody waits for are not told any more');
  };
  process.removeAllListeners('uncaughtException').on('uncaughtException', survive);
  return {
    [Symbol.dispose]() {
      process.removeListener('uncaughtException', survive);
      for (const listener of others) process.on('uncaughtException', listener);
    },
  };
};
