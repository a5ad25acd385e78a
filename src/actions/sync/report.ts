import { join } from 'node:path';
import type { Context } from '../../core/context.ts';
import { SyncException } from '../../core/errors.ts';
import type { FilePort } from '../../core/files.ts';
import * as shapes from '../../core/shapes.ts';
import { translate } from '../../lib/fs/faults.ts';
import { unkeptNote } from '../../lib/fs/move-entry.ts';
import { conclude } from '../../lib/partial/conclude.ts';
import { addFailure, noFailures } from '../../lib/partial/failures.ts';
import { noteSpecial } from '../../lib/partial/note-special.ts';
import { MOST_UNKEPT } from '../../lib/tree/copy/copy-part.ts';
import { isUnreadable, type TreeFault } from '../../lib/tree/tree-fault.ts';
import { unpackFault } from '../../lib/workers/messages.ts';
import type { Decision } from './decide.ts';
import type { SyncArgs } from './sync-args.ts';
import type { Done } from './work.ts';

/** What a synchronisation answers: what became of each file, and how many there were. */
export const syncReport = shapes.object({
  copied: shapes.list(shapes.text()),
  skipped: shapes.list(shapes.text()),
  deleted: shapes.list(shapes.text()),
  errors: shapes.list(shapes.list(shapes.text())),
  dry_run: shapes.flag(),
  totals: shapes.object({
    copied: shapes.integer(),
    skipped: shapes.integer(),
    deleted: shapes.integer(),
    failed: shapes.integer(),
    vanished: shapes.integer(),
    bytes: shapes.integer(),
  }),
});

/** Puts what was decided and done into the caller's words; fails where something could not be done. */
export const reportOn = (ctx: Context, decision: Decision, done: Done, args: SyncArgs) => {
  const { src, dst, max_listed } = args;
  const faults = [...decision.faults, ...done.faults];
  const vanished = decision.vanished.count + done.vanished.count;
  const totals = {
    copied: done.copied.count,
    skipped: decision.same.count,
    deleted: done.deleted.length,
    failed: faults.length,
    vanished,
    bytes: done.bytes,
  };
  const special = [decision.special, done.special];
  noteSpecial(
    ctx,
    special.reduce((sum, { count }) => sum + count, 0),
    special.flatMap(({ names }) => names),
  );
  noteUnkept(ctx, done, args);
  if (Math.max(totals.copied, totals.skipped, totals.deleted, totals.failed) > max_listed)
    ctx.note({ kind: 'truncated', message: `Each list holds the first ${max_listed}; the totals count all.`, limit: max_listed });
  const value = {
    copied: first(done.copied.names, max_listed),
    skipped: first(decision.same.names, max_listed),
    deleted: first(done.deleted, max_listed),
    errors: faults.slice(0, max_listed).map((fault) => [fault.relative, sentenceOf(ctx, fault, { src, dst })]),
    dry_run: args.dry_run,
    totals,
  };
  const what = 'could not be made like the source';
  return conclude(ctx, { value, vanished, ...failuresOf(ctx, faults, args), onUnreadable: args.on_unreadable, what, as: SyncException });
};

const noteUnkept = ({ files, note }: Context, { unkept: { count, names } }: Done, { dst }: Roots): void => {
  const paths = first(names, MOST_UNKEPT).map((relative) => join(files.absolute(dst), relative));
  const [path] = paths;
  if (path !== undefined) note(unkeptNote(path, [{ what: 'owner', count, paths }]));
};

const first = (names: readonly string[], most: number): string[] => names.toSorted().slice(0, most);

type Roots = Pick<SyncArgs, 'src' | 'dst'>;

/** What could not be read of the source, and whatever else went wrong. */
const failuresOf = ({ files }: Context, faults: readonly TreeFault[], roots: Roots) => {
  const [unreadable, failed] = [noFailures(), noFailures()];
  for (const fault of faults) addFailure(isUnreadable(fault) ? unreadable : failed, pathOf(files, fault, roots), unpackFault(fault.fault));
  return { unreadable, failed };
};

const pathOf = (files: FilePort, { side, relative }: TreeFault, { src, dst }: Roots): string =>
  join(files.absolute(side === 'source' ? src : dst), relative);

/** A fault in words, with the path that it concerns. */
export const sentenceOf = ({ files }: Context, fault: TreeFault, roots: Roots): string =>
  translate(unpackFault(fault.fault), { path: pathOf(files, fault, roots) }).message;
