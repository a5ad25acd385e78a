import type { Bypass } from '../../core/files.ts';
import { addFailure, type Failures, noFailures } from './failures.ts';

/** A bypass that remembers what was passed by. */
export interface CountedBypass extends Bypass {
  passed(): { readonly unreadable: Failures; readonly vanished: number };
}

export const createBypass = (): CountedBypass => {
  const unreadable = noFailures();
  let vanished = 0;
  return {
    unreadable: (path, fault) => addFailure(unreadable, path, fault),
    vanished(count) {
      vanished += count;
    },
    passed: () => ({ unreadable, vanished }),
  };
};
