import { flag, integer, list, oneOf, text } from '../../core/args.ts';
import * as shapes from '../../core/shapes.ts';
import { COMPARISONS, TRANSFER_CONFLICTS, type TransferConflict } from '../../lib/transfer/transfer.ts';

/** What every transfer may be told, after the arguments of its own. */
export const transferArgs = {
  on_conflict: oneOf('What to do when something is at the target already.', TRANSFER_CONFLICTS, { default: 'overwrite' }),
  verify: oneOf(
    'Compare what has arrived by the strongest digest that the target tells (`strongest`), or by its length alone (`none`).',
    ['strongest', 'none'],
    { default: 'strongest' },
  ),
  require_verified: flag('Refuse a target that tells no digest of what it holds.', { default: false }),
  resume: flag('Go on with what an earlier transfer of the same file has left.', { default: true }),
  max_workers: integer('Files, or parts of a large file, at once.', { default: 4, min: 1, max: 64 }),
  include: list('Patterns of the files that take part; none means all.', shapes.text(), { default: [] }),
  exclude: list('Patterns of what is left out, directories with everything in them.', shapes.text(), { default: [] }),
} as const;

export const paceArgs = {
  bandwidth: integer('The most bytes a second, over the whole transfer; null: as fast as it goes.', { default: null, min: 1024 }),
  preserve: flag('Keep times where the target can.', { default: true }),
  max_listed: integer('How many files each list of the answer holds at most; the totals count all.', { default: 10_000, min: 0 }),
} as const;

export const progressName = () => text('The name under which its progress is shown; null: one is made.', { default: null });

export const compareArg = () =>
  oneOf(
    'When files are the same: size and time (`size_mtime`; where the target sets its own times, whether it was written later), content (`checksum`), or size alone (`size`).',
    COMPARISONS,
    { default: 'size_mtime' },
  );

/** What the actions of this family have in common, as they get it. */
export interface CommonArgs {
  readonly source: string;
  readonly target: string;
  readonly on_conflict: TransferConflict;
  readonly verify: 'strongest' | 'none';
  readonly require_verified: boolean;
  readonly resume: boolean;
  readonly max_workers: number;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly compare: (typeof COMPARISONS)[number];
  readonly bandwidth: number | null;
  readonly preserve: boolean;
  readonly max_listed: number;
  readonly progress_name: string | null;
}
