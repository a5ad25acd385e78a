import { basename, dirname, join, sep } from 'node:path';
import type { Context } from '../../core/context.ts';
import { DirNotExistsException, SyncException } from '../../core/errors.ts';
import type { FilePort, Grant } from '../../core/files.ts';
import type { SyncArgs } from './sync-args.ts';

/** The two trees of a synchronisation, judged. */
export interface Trees {
  readonly source: Grant;
  /** Undefined where a dry run would have to make it. */
  readonly target: Grant | undefined;
}

/** Finds both trees, makes the target where it is missing, and refuses what cannot go well, in a dry run too. */
export const findTrees = async (
  { files }: Context,
  { src, dst, delete: deletes, dry_run }: Pick<SyncArgs, 'src' | 'dst' | 'delete' | 'dry_run'>,
): Promise<Trees> => {
  if ((await files.stat(src))?.kind !== 'dir')
    throw new DirNotExistsException(`No directory is at ${files.absolute(src)}; check the path.`, {
      context: { argument: 'src', path: files.absolute(src) },
    });
  const source = await files.grant(src, 'read');
  const there = await files.stat(dst);
  if (there !== undefined && there.kind !== 'dir')
    throw new SyncException(`${files.absolute(dst)} is no directory; choose another target.`, {
      context: { argument: 'dst', path: files.absolute(dst) },
    });
  demandApart(source.root, await realPathOf(files, files.absolute(dst)));
  if (there === undefined && !dry_run) await files.makeDir(dst, { parents: true });
  const isThere = there !== undefined || (!dry_run && !source.dry);
  return { source, target: isThere ? await files.grant(dst, deletes ? 'remove' : 'write') : undefined };
};

/** Where a path ends, or would: its nearest directory that is there tells. */
const realPathOf = async (files: FilePort, path: string): Promise<string> => {
  if ((await files.stat(path))?.kind === 'dir') return (await files.grant(path, 'read')).root;
  return path === dirname(path) ? path : join(await realPathOf(files, dirname(path)), basename(path));
};

/** A tree that holds the other would copy itself into itself, or delete what it is copied from. */
const demandApart = (source: string, target: string): void => {
  if (!isAtOrBelow(source, target) && !isAtOrBelow(target, source)) return;
  throw new SyncException(`${source} and ${target} lie inside each other; choose trees that are apart.`, {
    context: { source, target },
  });
};

const isAtOrBelow = (path: string, root: string): boolean => path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
