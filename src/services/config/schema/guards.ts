import { z } from 'zod';
import { atLeastOne, count, path, plain, seconds, wait } from './keys.ts';

/** Limits of bytes and time. */
export const quota = z
  .strictObject({
    max_bytes: count('Bytes; 0 is no limit.').default(0),
    max_seconds: seconds('Seconds; 0 is no limit.').default(0),
  })
  .meta({ description: 'How much a run may write and how long it may take.' });

/** What can stand around an action to make it bear failure. */
export const guards = {
  timeout_s: wait('Seconds after which it is stopped.').exactOptional(),
  retry: z
    .strictObject({
      attempts: atLeastOne('Attempts in all.').default(3),
      backoff_s: seconds('Pause after the first attempt; it doubles each time.').default(0.5),
      cap_s: seconds('The longest pause.').default(8),
    })
    .meta({ description: 'Repeats what failed for a reason that may pass.' })
    .exactOptional(),
  quota: quota.exactOptional(),
  rate_limit: z
    .strictObject({
      rate: z.number().positive().meta({ description: 'Calls a second.' }),
      burst: z.number().positive().meta({ description: 'Calls that may come at once; left out, `rate`.' }).exactOptional(),
      timeout_s: seconds('Seconds to wait for a turn; left out, as long as it takes.').exactOptional(),
    })
    .meta({ description: 'Spreads calls over time.' })
    .exactOptional(),
  circuit_breaker: z
    .strictObject({
      failure_threshold: atLeastOne('Failures in a row that open it.').default(5),
      recovery_timeout: seconds('Seconds until one call may try again.').default(30),
    })
    .meta({ description: 'Refuses calls for a while after repeated failure.' })
    .exactOptional(),
  bulkhead: z
    .strictObject({
      max_concurrent: atLeastOne('Calls at the same time.'),
      max_waiting: count('Calls that may wait for their turn.').default(0),
    })
    .meta({ description: 'Keeps one slow thing from taking all the room.' })
    .exactOptional(),
  lock: plain('The name of a lock in the store that is held meanwhile.').exactOptional(),
  file_lock: path('A file that is locked meanwhile.').exactOptional(),
};
