import { z } from 'zod';
import { CronException } from '../../../core/errors.ts';
import { nextFire } from '../../../lib/cron/next-fire.ts';
import { parseCron } from '../../../lib/cron/parse-cron.ts';
import { openTimeZone, type TimeZone } from '../../../lib/cron/time-zone.ts';
import { readPattern } from '../../../lib/text/demand-patterns.ts';
import { atLeastOne, count, flag, name, namesAreUnique, oneOf, path, plain, readBy, seconds, several, timeZone, wait } from './keys.ts';

/** A list as a request holds it. It is looked at closely where it runs: here only plugins' names would be missing. */
const actions = z
  .union([z.array(z.unknown()), z.record(z.string(), z.unknown())], {
    error: 'Expected a list of commands, or a table with `actions` or `nodes`.',
  })
  .refine((list) => Array.isArray(list) || ['actions', 'nodes', 'auto_control'].some((key) => Object.hasOwn(list, key)), {
    error: 'The table has neither `actions` nor `nodes`.',
  })
  .meta({ description: 'The list to run: commands, or a table as a request has it.' });

/** One for all schedules: each takes kilobytes that V8 does not know of, so thousands would stay in memory. */
let utc: TimeZone | undefined;

/** Refuses what is no cron expression, and one such as the 30th of February. */
const readTimes = (cron: string): void => {
  utc ??= openTimeZone('UTC');
  if (nextFire(parseCron(cron), utc, Date.now()) === undefined)
    throw new CronException(`No date ever fits ${JSON.stringify(cron)}; choose a day that its month has.`);
};

/** `[[schedules]]`. */
export const scheduleEntries = z
  .array(
    z.strictObject({
      name: name('What the job is called.'),
      cron: readBy(readTimes, 'When it runs: minute, hour, day of month, month, weekday.'),
      actions,
      enabled: flag('Whether it runs at all.').default(true),
      time_zone: timeZone('The time zone of `cron`, such as `Europe/Vienna`; left out, that of this machine.').exactOptional(),
      overlap: oneOf(['skip', 'queue_one', 'cancel_previous', 'parallel'], 'What happens when it is due while it still runs.').default(
        'skip',
      ),
      catch_up: oneOf(['none', 'latest', 'all'], 'Which missed times are made up for after a pause.').default('none'),
      catch_up_window_s: seconds('How far back missed times count.').default(86_400),
      catch_up_max: count('How many missed times are made up for at most.').default(10),
      jitter_s: seconds('A start is moved by up to this much, so that many jobs do not start at once.').default(0),
      deadline_s: seconds('A run that could not start this long after its time is dropped and reported.').exactOptional(),
      max_duration_s: seconds('A run that takes longer is cancelled and reported.').exactOptional(),
      expect_every_s: seconds('Reported when no run has succeeded for this long.').exactOptional(),
    }),
  )
  .superRefine(namesAreUnique)
  .default([])
  .meta({ description: 'Lists that run at set times.' });

/** `[[watchers]]`. */
export const watcherEntries = z
  .array(
    z.strictObject({
      name: name('What the watcher is called.'),
      path: path('The file or directory to watch.'),
      actions,
      enabled: flag('Whether it watches at all.').default(true),
      events: several(oneOf(['created', 'modified', 'deleted', 'moved'], 'What counts.')).default(['created', 'modified']),
      recursive: flag('Whether directories below count too.').default(true),
      include: several(readBy(readPattern, 'Globs of files that count, relative to `path`; none means all.')).default([]),
      exclude: several(readBy(readPattern, 'Globs of files that do not count.')).default([]),
      settle_s: seconds('A file counts when size and time have not changed for this long.').default(1),
      ready_marker: plain('A file counts when another one of this name, with `*` for its own, stands beside it.').exactOptional(),
      debounce_s: seconds('Events of one file this close together are one.').default(0.5),
      batch: atLeastOne('Files handed to one run at most.').default(1),
      on_busy: oneOf(['queue', 'coalesce', 'drop', 'restart'], 'What happens to events while the list still runs.').default('queue'),
      rescan_s: wait('How often the tree is compared as a whole, for events that the system lost.').default(300),
      poll: flag('Whether to look regularly instead of waiting for events; network mounts always do.').default(false),
      poll_s: wait('How often to look then.').default(5),
    }),
  )
  .superRefine(namesAreUnique)
  .default([])
  .meta({ description: 'Lists that run when files change.' });
