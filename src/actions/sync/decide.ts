import type { Context } from '../../core/context.ts';
import { SyncException } from '../../core/errors.ts';
import type { Grant } from '../../core/files.ts';
import { withOwnTally } from '../../lib/fs/walk-tally.ts';
import { watched } from '../../lib/fs/watched.ts';
import { isCaseBlind } from '../../lib/tree/case-blind.ts';
import { compareTrees } from '../../lib/tree/compare/compare-trees.ts';
import { type Compared, nothingCompared, type TargetEntry } from '../../lib/tree/compare/compared.ts';
import { isTree } from '../../lib/tree/is-tree.ts';
import { type Listing, listTree } from '../../lib/tree/list-tree.ts';
import { partsOf } from '../../lib/tree/parts-of.ts';
import type { Trees } from './find-trees.ts';
import type { SyncArgs } from './sync-args.ts';

/** What is to be done to make a target like its source. */
export interface Decision extends Compared {
  /** What goes, files and links by name: those of directories that go as a whole too. */
  readonly doomed: readonly string[];
}

/** Compares both trees and refuses to delete too much. Nothing is changed; a dry run decides by the same. */
export const decide = async (ctx: Context, { source, target }: Trees, args: SyncArgs): Promise<Decision> => {
  if (target === undefined) return { ...nothingCompared(), missing: [''], doomed: [] };
  const { compare, tolerance_s, exclude, max_listed } = args;
  const counted = withOwnTally(source);
  const compared = await watched(ctx, counted, `compare ${source.root} with ${target.root}`, (signal) =>
    compareTrees({
      source: counted,
      target,
      by: compare === 'checksum' ? 'content' : compare,
      ...(tolerance_s !== null && { toleranceMs: tolerance_s * 1000 }),
      exclude,
      isCaseBlind: isCaseBlind(target.root),
      replacesDirectories: args.delete,
      most: max_listed,
      signal,
    }),
  );
  const extras = args.delete && (await mayDelete(ctx, source, compared, exclude)) ? compared.extras : [];
  const gone = [...extras, ...compared.inTheWay];
  const doomed = await listDoomed(ctx, target, gone);
  if (args.delete) brake(compared, doomed.length, args);
  return { ...compared, extras, doomed };
};

/** Everything that goes with these entries, by name. */
const listDoomed = async ({ signal }: Context, target: Grant, gone: readonly TargetEntry[]): Promise<string[]> => {
  const directories = gone.filter(({ kind }) => kind === 'dir').map(({ relative }) => `${relative}/`);
  const others = gone.filter(({ kind }) => kind !== 'dir').map(({ relative }) => relative);
  if (directories.length === 0) return others;
  const { files, links } = await listBelow(target, directories, [], signal);
  return [...others, ...files, ...links].sort();
};

/** Lists what is in directories of a tree. */
export const listBelow = (
  grant: Grant,
  directories: readonly string[],
  exclude: readonly string[],
  signal: AbortSignal,
): Promise<Listing> => {
  const parts = directories.includes('') ? [{ relative: '' }] : partsOf(directories);
  return listTree({ grant: withOwnTally(grant), side: 'source', parts, exclude, signal });
};

/** What cannot be read may be there all the same, or have been moved there from where it is deleted now: then nothing is deleted. */
const mayDelete = async (
  { note, signal }: Context,
  source: Grant,
  { faults, extras, missing }: Compared,
  exclude: readonly string[],
): Promise<boolean> => {
  if (extras.length === 0) return true;
  const isReadable = faults.every(({ side }) => side === 'target');
  if (isReadable && (await listBelow(source, missing.filter(isTree), exclude, signal)).faults.length === 0) return true;
  note({ kind: 'delete_skipped', message: 'Nothing was deleted, because a part of the source could not be read.', count: extras.length });
  return false;
};

/** Refuses to delete so much that it is more likely to be a mistake. */
const brake = (
  { same, changed, missing, vanished }: Compared,
  doomed: number,
  { max_delete, max_delete_share, src, dst }: SyncArgs,
): void => {
  if (doomed === 0) return;
  const kept = same.count + changed.length;
  const context = { source: src, target: dst, deletes: doomed, keeps: kept };
  if (kept + missing.length + vanished.count === 0)
    throw new SyncException(`${src} is empty, so everything in ${dst} would be deleted; check the source.`, { context });
  if (doomed <= max_delete || doomed <= max_delete_share * (doomed + kept)) return;
  throw new SyncException(
    `${doomed} of ${doomed + kept} files in ${dst} would be deleted; if that is meant, raise max_delete or max_delete_share.`,
    { context },
  );
};
