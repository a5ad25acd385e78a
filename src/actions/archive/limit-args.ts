import { flag, integer, oneOf } from '../../core/args.ts';
import { ON_CONFLICT } from '../../core/conflict.ts';
import { LINK_RULES } from '../../lib/archive/judge/judge-entries.ts';
import type { ArchiveLimits } from '../../lib/archive/limits.ts';

/** How much an archive may hold: the same for every action that reads one. */
export const limitArgs = {
  max_bytes: integer('Most bytes that may come out.', { default: 10 * 1024 ** 3, min: 0 }),
  max_entries: integer('Most entries that the archive may have.', { default: 100_000, min: 0 }),
  max_ratio: integer('Most bytes that may come out for one that goes in, judged after 10 MiB.', { default: 100, min: 1 }),
};

/** The last argument of every action that reads an archive. */
export const lenientArg = {
  lenient: flag(
    'Read archives that are padded or joined: bytes before or behind a zip, gz, bz2 or zst file are left out, tar files joined with cat are read as one. What is refused without this can show different content to different programs.',
    { default: false },
  ),
};

/** How an archive is extracted: the same for every action that does. */
export const extractArgs = {
  on_conflict: oneOf('What to do with files that exist already.', ON_CONFLICT, { default: 'overwrite' }),
  links: oneOf('Whether links are refused, or made where they stay inside the target.', LINK_RULES, { default: 'refuse' }),
  ...limitArgs,
};

/** The limits as bound arguments. */
export interface LimitsGiven {
  readonly max_bytes: number;
  readonly max_entries: number;
  readonly max_ratio: number;
}

export const limitsOf = ({ max_bytes, max_entries, max_ratio }: LimitsGiven): ArchiveLimits => ({
  maxBytes: max_bytes,
  maxEntries: max_entries,
  maxRatio: max_ratio,
});
