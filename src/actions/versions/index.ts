// Numbered snapshots of single files in a store of their own. Read bucket.ts first: where they lie.

import { basename, join } from 'node:path';
import { defineAction, defineFamily } from '../../core/action.ts';
import { integer, path } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import { PathExistsException, VersioningException } from '../../core/errors.ts';
import * as shapes from '../../core/shapes.ts';
import { conclude } from '../../lib/partial/conclude.ts';
import { removeEach } from '../../lib/partial/remove-each.ts';
import { bucketOf, fileArg, type Version, versionShape, versionsOf } from './bucket.ts';

interface StoreArgs {
  readonly root: string;
  readonly path: string;
}

const demandFile = async ({ files }: Context, file: string) => {
  if ((await files.stat(file))?.kind !== 'file')
    throw new VersioningException(`No file is at ${files.absolute(file)}; check the path.`, {
      context: { argument: 'path', path: files.absolute(file) },
    });
};

const save = async (ctx: Context, { root, path: file }: StoreArgs): Promise<Version> => {
  const { files } = ctx;
  await demandFile(ctx, file);
  await using _source = await files.open(file); // before anything is made: one that cannot be read leaves no directory behind
  const newest = (await versionsOf(files, root, file)).at(-1)?.version ?? 0;
  await files.makeDir(bucketOf(files, root, file), { parents: true });
  for (let version = newest + 1; ; version += 1) {
    const saved = await saveAs(ctx, { root, path: file }, version);
    if (saved !== undefined) return saved;
  }
};

/** Saves under a number; undefined when it is taken. A claim decides between two who save at once. */
const saveAs = async (
  { files, signal, clock }: Context,
  { root, path: file }: StoreArgs,
  version: number,
): Promise<Version | undefined> => {
  const bucket = bucketOf(files, root, file);
  const number = `v${String(version).padStart(6, '0')}`;
  const claim = join(bucket, `.claim-${number}`);
  try {
    await files.write(claim, new Uint8Array(), { signal, exclusive: true, durable: false, needsDirectory: true });
  } catch (fault) {
    if (fault instanceof PathExistsException) return undefined;
    throw fault;
  }
  try {
    // Asked again under the claim: another may have saved and let go since the list was read.
    if ((await versionsOf(files, root, file)).some((other) => other.version === version)) return undefined;
    const at = clock.now();
    const target = join(bucket, `${number}__${BigInt(at) * 1_000_000n}`);
    await files.copy(file, target, { keepMetadata: true, exclusive: true, signal });
    return { version, timestamp: new Date(at).toISOString(), path: target };
  } finally {
    // One that stays takes up a number and nothing else; the version is kept all the same, or its own fault is what counts.
    await files.remove(claim, { isNew: true }).catch(() => {});
  }
};

const versionSave = defineAction({
  name: 'FA_version_save',
  summary: 'Keeps a snapshot of a file and gives its number.',
  args: {
    root: path('The directory of the store; made when first needed.', { role: 'writesTree', mayBeMissing: true }),
    path: path('The file to keep.', { role: 'reads' }),
  },
  returns: versionShape,
  examples: [{ files: { 'a.txt': 'one' }, args: { root: 'versions', path: 'a.txt' } }],
  plan: save,
  run: save,
});

const versionList = defineAction({
  name: 'FA_version_list',
  summary: 'Lists the snapshots of a file, oldest first.',
  args: { root: path('The directory of the store.', { role: 'readsTree', mayBeMissing: true }), path: fileArg },
  returns: shapes.list(versionShape),
  idempotent: true,
  onlyLooks: true,
  examples: [{ args: { root: 'versions', path: 'a.txt' }, value: [] }],
  run: ({ files }, { root, path: file }) => versionsOf(files, root, file),
});

const restore = async (
  { files, signal }: Context,
  { root, path: file, version }: StoreArgs & { readonly version: number },
): Promise<null> => {
  const all = await versionsOf(files, root, file);
  const wanted = all.find((each) => each.version === version);
  if (wanted === undefined) {
    const known = all.length === 0 ? 'it has none' : `it has ${all.map((each) => each.version).join(', ')}`;
    throw new VersioningException(`There is no version ${version} of ${basename(file)}; ${known}.`, {
      context: { argument: 'version', version },
    });
  }
  await files.copy(wanted.path, file, { keepMetadata: true, signal });
  return null;
};

const versionRestore = defineAction({
  name: 'FA_version_restore',
  summary: 'Puts a snapshot back in place of the file.',
  args: {
    root: path('The directory of the store.', { role: 'readsTree' }),
    path: path('The file to put back; replaced when it exists.', { role: 'writes' }),
    version: integer('The number of the snapshot.', { min: 1 }),
  },
  returns: shapes.nothing(),
  idempotent: true,
  examples: [
    {
      files: { 'a.txt': 'one' },
      after: [
        ['FA_version_save', { root: 'versions', path: 'a.txt' }],
        ['FA_create_file', { file_path: 'a.txt', content: 'two' }],
      ],
      args: { root: 'versions', path: 'a.txt', version: 1 },
      value: null,
      leaves: { 'a.txt': 'one' },
    },
  ],
  plan: restore,
  run: restore,
});

const prune = async (ctx: Context, { root, path: file, keep }: StoreArgs & { readonly keep: number }): Promise<number> => {
  const all = await versionsOf(ctx.files, root, file);
  const surplus = all.slice(0, Math.max(0, all.length - keep)).map((each) => each.path);
  const { done, failed } = await removeEach(ctx, surplus);
  return conclude(ctx, { value: done.length, failed, what: 'could not be deleted', as: VersioningException });
};

const versionPrune = defineAction({
  name: 'FA_version_prune',
  summary: 'Deletes all but the newest snapshots of a file; tells how many went.',
  args: {
    root: path('The directory of the store.', { role: 'removesTree', mayBeMissing: true }),
    path: path('The file whose snapshots they are.'),
    keep: integer('How many to keep.', { min: 0 }),
  },
  returns: shapes.integer(),
  idempotent: true,
  examples: [{ args: { root: 'versions', path: 'a.txt', keep: 2 }, value: 0 }],
  plan: prune,
  run: prune,
});

export const versions = defineFamily({
  name: 'versions',
  group: 'files',
  summary: 'Numbered snapshots of files: keep, list, put back, thin out.',
  isApart: true,
  actions: [versionSave, versionList, versionRestore, versionPrune],
});
