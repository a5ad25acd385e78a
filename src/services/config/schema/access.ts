import { z } from 'zod';
import { EFFECT_CLASSES } from '../../../core/effects.ts';
import { didYouMean } from '../../../lib/text/nearest.ts';
import { atLeastOne, count, flag, name, namesAreUnique, oneOf, path, plain, secret, several } from './keys.ts';

const EFFECTS = [...EFFECT_CLASSES, 'none'] as const;
const effectRules: readonly string[] = EFFECTS.map((effect) => `effect:${effect}`);

/** Actions by name, group or effect. Effects are all known, and a mistyped one would never apply. */
const actionRule = (description: string) =>
  plain(description).refine((rule) => !rule.startsWith('effect:') || effectRules.includes(rule), {
    error: ({ input }) => `There is no such effect${didYouMean(String(input), effectRules) || `; there are ${EFFECTS.join(', ')}.`}`,
  });

/** What may be granted to or taken from a caller. */
export const callerLimits = {
  allow: several(actionRule('Actions that may run: names, `FA_json_*`, `group:search`, `effect:reads`. Left out: all.')).exactOptional(),
  deny: several(actionRule('Actions that may not run, written like `allow`; this wins.')).exactOptional(),
  effects: several(oneOf(EFFECTS, 'Effects that actions may have. Left out: all.')).exactOptional(),
  roots: several(path('Directories below which files may be read and changed.')).exactOptional(),
  read_only_roots: several(path('Directories below which files may be read.')).exactOptional(),
  network: flag('Whether actions may reach other machines.').exactOptional(),
  hosts: several(plain('Machines that may be reached; left out, any that the guard of addresses lets through.')).exactOptional(),
  executes: flag('Whether programs may be run.').exactOptional(),
  max_bytes: count('Bytes that one run may write; 0 is no limit.').exactOptional(),
  max_deletes: count('Files that one run may delete or replace; 0 is no limit.').exactOptional(),
  max_in_flight: atLeastOne('Requests of this caller that run at the same time, through all doors; 64 where left out.').exactOptional(),
  max_held_mb: atLeastOne(
    'Megabytes of requests that are arriving and of answers that this caller does not take, at once; 128 where left out.',
  ).exactOptional(),
  require_approval: oneOf(
    ['none', 'destructive', 'all'],
    'Which lists run only once `factotum approve` has said yes to their plan: `destructive`, those that may do more than read.',
  ).exactOptional(),
  shared_names: several(
    plain('Locks, breakers and rate limits of the store that this caller shares with everybody; all other names are its own.'),
  ).exactOptional(),
  env: several(plain('Environment variables that lists may read.')).exactOptional(),
};

/** `[policy]`. */
export const policySection = z
  .strictObject({
    owner: flag('Whether the limits hold for the owner too.').default(false),
    ...callerLimits,
  })
  .prefault({})
  .meta({ description: 'Limits of every caller but the owner; a token may have its own.' });

/** `[[tokens]]`. */
export const tokenEntries = z
  .array(
    z.strictObject({
      name: name('Who this is, in history, logs and metrics.'),
      secret: secret('What the caller sends; 16 characters or more.'),
      ...callerLimits,
    }),
  )
  .superRefine(namesAreUnique)
  .default([])
  .meta({ description: 'Callers with limited rights; each has a secret of its own.' });
