import { z } from 'zod';
import { guards, quota } from './guards.ts';
import { atLeastOne, count, flag, oneOf, path, plain, seconds, several } from './keys.ts';

/** `[log]`. */
export const logSection = z
  .strictObject({
    level: oneOf(['debug', 'info', 'warn', 'error', 'silent'], 'The least important events that are told.').default('info'),
    format: oneOf(['text', 'json'], 'Lines for people or for machines.').default('text'),
  })
  .prefault({})
  .meta({ description: 'What the service says on standard error.' });

/** `[store]`. */
export const storeSection = z
  .strictObject({
    path: path(
      'The file of the store, in a directory of its own; left out, `factotum/factotum.db` in the state directory of the user.',
    ).exactOptional(),
    history: flag('Whether runs are recorded.').default(true),
    undo_bytes: count('Bytes of old files kept so that runs can be undone.').default(1024 ** 3),
    undo_files: count('Old files kept so that runs can be undone, however small they are.').default(100_000),
    undo_days: count('Days for which runs can be undone.').default(7),
    runs_days: count('Days for which finished runs are kept.').default(30),
    dead_days: count('Days for which runs that ended as dead letters are kept.').default(90),
    fires_days: count('Days for which the times at which schedules fired are kept.').default(7),
    audit_days: count('Days for which the audit log is kept.').default(90),
  })
  .prefault({})
  .meta({ description: 'Where history, queue and schedules live, and for how long.' });

/** `[defaults]`. */
export const defaultsSection = z
  .strictObject({
    max_workers: atLeastOne('Commands at the same time in parallel lists and graphs that do not say.').default(4),
    validate_first: flag('Whether lists that do not say are checked as a whole before they run.').default(false),
    dedup_seconds: seconds('Time in which the same notification is not sent again.').default(60),
    quota: quota.exactOptional(),
    actions: z
      .record(plain('The name of an action.'), z.strictObject(guards))
      .default({})
      .meta({ description: 'Protection of single actions, by name.' }),
  })
  .prefault({})
  .meta({ description: 'What holds where a list does not say otherwise.' });

/** `[secrets]`. */
export const secretsSection = z
  .strictObject({
    file_root: path('The directory of `${file:NAME}`; nothing outside it is read.').exactOptional(),
    env: several(plain('Environment variables whose values are masked, beside those named like a secret.')).default([]),
  })
  .prefault({})
  .meta({ description: 'Where references find their values.' });

/** `[plugins]`. */
export const pluginsSection = z
  .strictObject({
    discover: flag("Whether packages are looked for among the dependencies of the project's package.json.").default(true),
    paths: several(path('Directories of packages to load.')).default([]),
    replace: several(plain('Built-in actions that plugins may replace.')).default([]),
  })
  .prefault({})
  .meta({ description: 'Packages with actions of their own.' });
