import { join } from 'node:path';
import { defineAction } from '../../core/action.ts';
import { flag, integer, list, oneOf, path, text } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import { FileAccessException } from '../../core/errors.ts';
import { type OnUnreadable, onUnreadable } from '../../core/on-unreadable.ts';
import { plainText } from '../../core/plain-text.ts';
import * as shapes from '../../core/shapes.ts';
import { demandOk } from '../../core/steps-result.ts';
import { type DuplicateGroup, findDuplicates } from '../../lib/duplicates/find-duplicates.ts';
import { watched } from '../../lib/fs/watched.ts';
import { conclude } from '../../lib/partial/conclude.ts';
import { coverTree } from '../../lib/partial/cover-tree.ts';
import { type Failures, noFailures } from '../../lib/partial/failures.ts';
import { noteMissing } from '../../lib/search/note-missing.ts';
import { failuresOf } from '../../lib/search/unreadable.ts';
import { demandPatterns } from '../../lib/text/demand-patterns.ts';

const DEFAULT_ALGORITHM = 'sha256';
const MAX_SAMPLE_BYTES = 64 * 1024 * 1024;
/** Nested lists of this length keep the memory that their results take in bounds while they run. */
const COMMANDS_PER_LIST = 1000;

interface Wanted {
  readonly root: string;
  readonly min_size: number;
  readonly sample_bytes: number;
  readonly algorithm: string;
  readonly digests: boolean;
  readonly apply: 'report' | 'trash' | 'hardlink' | 'reflink';
  readonly exclude: readonly string[];
  readonly on_unreadable: OnUnreadable;
}

const UNREAD = { what: 'could not be read', as: FileAccessException } as const;

/** Everything that can be wrong before a search; nothing is to be searched where there is no directory. */
const grantFor = async (ctx: Context, { root, algorithm, exclude, on_unreadable }: Wanted) => {
  const { files } = ctx;
  // Loading all digests takes longer than many a search.
  if (algorithm !== DEFAULT_ALGORITHM) (await import('../../lib/hash/hasher.ts')).findHash(algorithm);
  demandPatterns('exclude', ...exclude);
  if ((await files.stat(root))?.kind !== 'dir') return undefined;
  await coverTree(ctx, { root, exclude, onUnreadable: on_unreadable, ...UNREAD });
  return files.grant(root, 'read');
};

const find = async (ctx: Context, args: Wanted): Promise<{ readonly groups: DuplicateGroup[]; readonly left: Failures }> => {
  const { root, min_size, sample_bytes, algorithm, digests, exclude } = args;
  const grant = await grantFor(ctx, args);
  const shown = ctx.files.absolute(root);
  if (grant === undefined) {
    noteMissing(ctx, shown);
    return { groups: [], left: noFailures() };
  }
  const { groups, unreadable } = await watched(ctx, grant, `find duplicates in ${shown}`, (signal) =>
    findDuplicates({
      grant,
      minBytes: min_size,
      sampleBytes: sample_bytes,
      algorithm: digests ? algorithm : null,
      exclude,
      signal,
    }),
  );
  return {
    groups: groups.map((group) => ({ ...group, paths: group.paths.map((relative) => join(shown, relative)) })),
    left: failuresOf(shown, unreadable),
  };
};

/** Each file but the first of its group goes through an action of its own: access rules and the trash are for that one to know. */
const applyTo = async ({ runSteps }: Context, groups: readonly DuplicateGroup[], how: Wanted['apply']): Promise<void> => {
  if (how === 'report') return;
  const commands = groups.flatMap(({ paths: [original = '', ...others] }) =>
    others.map((path) => ['FA_replace_duplicate', { path: plainText(path), original: plainText(original), how }]),
  );
  const lists = Array.from({ length: Math.ceil(commands.length / COMMANDS_PER_LIST) }, (_, at) =>
    commands.slice(at * COMMANDS_PER_LIST, (at + 1) * COMMANDS_PER_LIST),
  );
  const results = [];
  for (const commandsOfList of lists) results.push(await runSteps(commandsOfList));
  for (const result of results) demandOk(result);
};

const findAndApply = async (ctx: Context, args: Wanted) => {
  const { groups, left } = await find(ctx, args);
  await applyTo(ctx, groups, args.apply);
  return conclude(ctx, {
    value: args.digests
      ? groups.map(({ size, digest, paths }) => ({ size, digest: digest ?? '', paths: [...paths] }))
      : groups.map(({ paths }) => [...paths]),
    unreadable: left,
    onUnreadable: args.on_unreadable,
    ...UNREAD,
  });
};

export const findDuplicateFiles = defineAction({
  name: 'FA_find_duplicates',
  summary: 'Finds files with the same content below a directory, the largest first.',
  args: {
    root: path('The directory to search, at every depth; one that is missing holds nothing. Links are not followed.', {
      role: 'readsTree',
      mayBeMissing: true,
    }),
    min_size: integer('Leave out files with fewer bytes.', { default: 1, min: 0 }),
    sample_bytes: integer('How many bytes of files of one size are compared before whole files are read.', {
      default: 65_536,
      min: 1,
      max: MAX_SAMPLE_BYTES,
    }),
    algorithm: text('The digest that `digests` tells: any of OpenSSL, blake3, xxh3, xxh128 or crc32c.', { default: DEFAULT_ALGORITHM }),
    digests: flag('Decide by a digest instead of a fast 128-bit hash, and tell it and the size of each group.', { default: false }),
    apply: oneOf(
      'What becomes of all but the first of a group, after their bytes were compared: nothing, the trash, or one copy on the disk for all.',
      ['report', 'trash', 'hardlink', 'reflink'],
      { default: 'report' },
    ),
    exclude: list('Patterns of what is left out, directories with everything in them.', shapes.text(), { default: [] }),
    on_unreadable: onUnreadable(),
  },
  returns: shapes.either(
    shapes.list(shapes.list(shapes.text())),
    shapes.list(shapes.object({ size: shapes.integer(), digest: shapes.text(), paths: shapes.list(shapes.text()) })),
  ),
  idempotent: true,
  examples: [
    { files: { 'd/a': 'same', 'd/b': 'other' }, args: { root: 'd' }, value: [] },
    {
      about: 'The first in the order of paths stays as it is.',
      files: { 'd/a': 'same', 'd/n/b': 'same' },
      args: { root: 'd', apply: 'hardlink' },
      leaves: { 'd/a': 'same', 'd/n/b': 'same' },
    },
  ],
  // What is to be replaced depends on what is found.
  plan: (ctx, args) => (args.apply === 'report' ? grantFor(ctx, args) : findAndApply(ctx, args)),
  run: findAndApply,
});
