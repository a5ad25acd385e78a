import { basename, join } from 'node:path';
import { defineAction } from '../../core/action.ts';
import { flag, integer, path, text } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import { RotateException } from '../../core/errors.ts';
import * as shapes from '../../core/shapes.ts';
import { conclude } from '../../lib/partial/conclude.ts';
import { removeEach } from '../../lib/partial/remove-each.ts';
import { type Backup, type Decision, decide } from '../../lib/rotate/keep.ts';
import { demandPatterns } from '../../lib/text/demand-patterns.ts';
import { compileGlob } from '../../lib/text/globs.ts';

interface Wanted {
  readonly directory: string;
  readonly pattern: string;
  readonly keep_daily: number;
  readonly keep_weekly: number;
  readonly keep_monthly: number;
  readonly keep_yearly: number;
  readonly dry_run: boolean;
  readonly keep_last: number;
}

/** The files of a directory whose names fit; directories and links are no backups. */
const findBackups = async ({ files, signal }: Context, { directory, pattern }: Wanted): Promise<Backup[]> => {
  const shown = files.absolute(directory);
  demandPatterns('pattern', pattern);
  const { test } = compileGlob(pattern, { dot: true, ofFiles: true });
  if ((await files.stat(directory))?.kind !== 'dir') {
    throw new RotateException(`No directory is at ${shown}; check the path.`, { context: { argument: 'directory', path: shown } });
  }
  const backups: Backup[] = [];
  for (const { name, kind } of await files.list(directory)) {
    signal.throwIfAborted();
    if (kind !== 'file' || !test(name)) continue;
    const entry = await files.stat(join(shown, name), { followLinks: false });
    if (entry?.kind === 'file') backups.push({ path: entry.path, timeMs: entry.mtimeMs });
  }
  return backups;
};

/** A rule that keeps nothing is a mistake more often than a wish. */
const demandKept = (decisions: readonly Decision[], directory: string): void => {
  const judged = decisions.filter(({ isFuture }) => !isFuture);
  if (judged.length === 0 || judged.some(({ reasons }) => reasons.length > 0)) return;
  throw new RotateException(`Nothing in ${directory} would be kept, so nothing is deleted; keep at least one.`, {
    context: { path: directory, backups: decisions.length },
  });
};

const TOLD_REASONS = 20;

/** The first of them with their reasons, for people; the note has all of them. */
const reasonsOf = (kept: readonly Decision[]): string => {
  if (kept.length === 0) return '';
  const told = kept.slice(0, TOLD_REASONS).map(({ path: each, reasons }) => `${basename(each)} (${reasons.join(', ')})`);
  return `: ${told.join(', ')}${kept.length > told.length ? ` and ${kept.length - told.length} more` : ''}`;
};

const rotate = async (ctx: Context, args: Wanted) => {
  const { keep_last, keep_daily, keep_weekly, keep_monthly, keep_yearly, dry_run } = args;
  const rules = { last: keep_last, daily: keep_daily, weekly: keep_weekly, monthly: keep_monthly, yearly: keep_yearly };
  const decisions = decide(await findBackups(ctx, args), rules, ctx.clock.now());
  demandKept(decisions, ctx.files.absolute(args.directory));
  const kept = decisions.filter(({ reasons }) => reasons.length > 0);
  const deleted = decisions.filter(({ reasons }) => reasons.length === 0).map((each) => each.path);
  ctx.note({
    kind: 'reasons',
    message: `${kept.length} of ${decisions.length} backups are kept${reasonsOf(kept)}.`,
    kept: Object.fromEntries(kept.map((each) => [each.path, [...each.reasons]])),
  });
  const { done, failed } = await removeEach(ctx, dry_run ? [] : deleted);
  const value = { kept: kept.map((each) => each.path), deleted: dry_run ? deleted : done, dry_run };
  return conclude(ctx, { value, failed, what: 'could not be deleted', as: RotateException });
};

export const rotateBackups = defineAction({
  name: 'FA_rotate_backups',
  summary: 'Keeps the newest backup of each of the last days, weeks, months and years, and deletes the others.',
  args: {
    directory: path('The directory of the backups; what is in directories below is left alone.', { role: 'removesTree' }),
    pattern: text('What names of backups look like: `*.zip`.', { default: '*' }),
    keep_daily: integer('For how many days that have backups to keep the newest.', { default: 7, min: 0 }),
    keep_weekly: integer('For how many weeks, from Monday to Sunday.', { default: 4, min: 0 }),
    keep_monthly: integer('For how many months.', { default: 12, min: 0 }),
    keep_yearly: integer('For how many years.', { default: 0, min: 0 }),
    dry_run: flag('Only tell what would be kept, and why in the note, and what deleted.', { default: false }),
    keep_last: integer('How many of the newest to keep, whenever they were made.', { default: 0, min: 0 }),
  },
  returns: shapes.object({ kept: shapes.list(shapes.text()), deleted: shapes.list(shapes.text()), dry_run: shapes.flag() }),
  idempotent: true,
  examples: [
    {
      about: 'By the time of the last change, in UTC.',
      files: { 'b/a.zip': '1', 'b/b.zip': '2' },
      args: { directory: 'b', keep_daily: 0, keep_weekly: 0, keep_monthly: 0, keep_last: 2 },
      leaves: { 'b/a.zip': '1', 'b/b.zip': '2' },
    },
  ],
  plan: rotate,
  run: rotate,
});
