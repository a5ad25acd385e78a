import { join } from 'node:path';
import { translate } from '../fs/faults.ts';
import { type Failures, noFailures } from '../partial/failures.ts';
import { unpackFault } from '../workers/messages.ts';
import type { LeftOut } from './left-out.ts';

/** What could not be read below a directory, in the caller's words. Throws where the directory itself could not: there is no rest to go on with. */
export const failuresOf = (shown: string, { count, paths, faults }: LeftOut): Failures => {
  const failures = noFailures();
  failures.count = count;
  for (const [at, fault] of faults.entries()) {
    const path = join(shown, paths[at] ?? '');
    const error = translate(unpackFault(fault), { path });
    if (paths[at] === '') throw error;
    failures.first.push({ path, error });
  }
  return failures;
};
