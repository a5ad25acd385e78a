import { z } from 'zod';
import { type LimitKeys, SHARE_NAMES, SHARES, type ShareName } from '../../../core/caller-limits.ts';
import { EFFECT_CLASSES } from '../../../core/effects.ts';
import { parseLocation } from '../../../lib/location/location.ts';
import { didYouMean } from '../../../lib/text/nearest.ts';
import { atLeastOne, count, flag, name, namesAreUnique, oneOf, path, plain, secret, several } from './keys.ts';

const EFFECTS = [...EFFECT_CLASSES, 'none'] as const;
const effectRules: readonly string[] = EFFECTS.map((effect) => `effect:${effect}`);

/** Actions by name, group or effect. Effects are all known, and a mistyped one would never apply. */
const actionRule = (description: string) =>
  plain(description).refine((rule) => !rule.startsWith('effect:') || effectRules.includes(rule), {
    error: ({ input }) => `There is no such effect${didYouMean(String(input), effectRules) || `; there are ${EFFECTS.join(', ')}.`}`,
  });

/** A place elsewhere; a path of this machine belongs to the roots. */
const location = (description: string) =>
  plain(description).superRefine((written, { addIssue }) => {
    try {
      if (parseLocation(written).scheme === 'local')
        addIssue({ code: 'custom', message: 'This is a path of this machine; put it into `roots`.' });
    } catch (fault) {
      addIssue({ code: 'custom', message: fault instanceof Error ? fault.message : String(fault) });
    }
  });

/** What each share is, for people. */
const SHARE_WORDS: { readonly [Name in ShareName]: string } = {
  maxInFlight: 'Requests of this caller that run at the same time, through all doors',
  maxHeldBytes: 'Megabytes of requests that are arriving and of answers that this caller does not take, at once',
  maxStreams: 'Connections of this caller that are told of events and progress as they come, at the same time',
  maxBackground: 'Lists of this caller that were accepted by `POST /runs` and are under way',
  maxQueued: 'Lists of this caller that wait in the queue',
  maxChildren: 'Programs that run for this caller at the same time',
  maxWatchers: 'Watchers and monitors that this caller has stored',
  maxSchedules: 'Scheduled jobs that this caller has stored',
  maxNames: 'Names of breakers and rate limits that this caller has in use',
  maxStoredBytes: 'Megabytes that the store keeps of the runs of this caller: lists, results, audit log, files that are kept for undo',
};

type ShareKeys = { readonly [Name in ShareName as (typeof SHARES)[Name]['key']]: ReturnType<typeof shareKey> };
const shareKey = (name: ShareName) => {
  const { usual, per = 1 }: { readonly usual: number; readonly per?: number } = SHARES[name];
  return atLeastOne(`${SHARE_WORDS[name]}; ${usual / per} where left out.`).exactOptional();
};
const shares = Object.fromEntries(SHARE_NAMES.map((name) => [SHARES[name].key, shareKey(name)])) as ShareKeys; // by its keys

/** What may be granted to or taken from a caller. */
export const callerLimits = {
  allow: several(actionRule('Actions that may run: names, `FA_json_*`, `group:search`, `effect:reads`. Left out: all.')).exactOptional(),
  deny: several(actionRule('Actions that may not run, written like `allow`; this wins.')).exactOptional(),
  effects: several(oneOf(EFFECTS, 'Effects that actions may have. Left out: all.')).exactOptional(),
  roots: several(path('Directories below which files may be read and changed.')).exactOptional(),
  read_only_roots: several(path('Directories below which files may be read.')).exactOptional(),
  network: flag('Whether actions may reach other machines.').exactOptional(),
  hosts: several(plain('Machines that may be reached; left out, any that the guard of addresses lets through.')).exactOptional(),
  locations: several(location('Locations below which everything may be read and changed.')).exactOptional(),
  read_only_locations: several(location('Locations below which everything may be read.')).exactOptional(),
  executes: flag('Whether programs may be run.').exactOptional(),
  max_bytes: count('Bytes that one run may write; 0 is no limit.').exactOptional(),
  max_deletes: count('Files that one run may delete or replace; 0 is no limit.').exactOptional(),
  ...shares,
  require_approval: oneOf(
    ['none', 'destructive', 'all'],
    'Which lists run only once `factotum approve` has said yes to their plan: `destructive`, those that may do more than read.',
  ).exactOptional(),
  shared_names: several(
    plain(
      'Locks, breakers and rate limits of the store that this caller shares with everybody; all other names are its own, and so are those of its jobs, watchers, monitors and progress.',
    ),
  ).exactOptional(),
  env: several(plain('Environment variables that lists may read.')).exactOptional(),
} satisfies { readonly [Key in keyof LimitKeys]: z.ZodType } & Readonly<Record<string, z.ZodType>>;

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
