import { dirname, join } from 'node:path';
import { defineAction } from '../../core/action.ts';
import { path, record } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import { DiffException } from '../../core/errors.ts';
import type { FilePort } from '../../core/files.ts';
import * as shapes from '../../core/shapes.ts';
import { attemptEach } from '../../lib/partial/attempt-each.ts';
import { conclude } from '../../lib/partial/conclude.ts';
import { allFailures } from '../../lib/partial/failures.ts';
import { demandInside, kindInside } from './demand-inside.ts';

interface ApplyArgs {
  readonly diff: Readonly<Record<string, readonly string[]>>;
  readonly target: string;
  readonly source: string;
}

interface Roots {
  readonly target: string;
  readonly source: string;
}

const apply = async (ctx: Context, { diff, ...given }: ApplyArgs): Promise<null> => {
  const { files, signal } = ctx;
  const { added = [], removed = [], changed = [], ...unknown } = diff;
  const [key] = Object.keys(unknown);
  if (key !== undefined)
    throw new DiffException(`A difference has no part called ${key}; give what FA_diff_dirs answered.`, {
      context: { argument: 'diff', key },
    });
  const isNew = (await files.stat(given.target)) === undefined;
  const target = isNew ? files.absolute(given.target) : await demandDir(files, given.target, 'target');
  const roots = { target, source: await demandDir(files, given.source, 'source') };
  const copied = [...added, ...changed];
  // All names are judged before the first change.
  await demandInside(files, roots.target, removed);
  await demandInside(files, roots.target, copied, removed);
  await demandInside(files, roots.source, copied);
  for (const name of copied) await demandThere(files, join(roots.source, name));
  if (isNew) await files.makeDir(target, { parents: true });
  const pathOf = (name: string) => join(roots.target, name);
  const gone = await attemptEach(removed, { files, signal, pathOf }, (name) => removeIfThere(files, pathOf(name)));
  await prune(ctx, roots, removed);
  // What cannot be read fails too: a tree that lacks it is not what the difference says.
  const came = await attemptEach(copied, { files, signal, pathOf }, (name) => copyEntry(ctx, join(roots.source, name), pathOf(name)));
  return conclude(ctx, { value: null, failed: allFailures(gone.failed, came.failed), what: 'could not be changed', as: DiffException });
};

const demandDir = async (files: FilePort, given: string, argument: string): Promise<string> => {
  const entry = await files.stat(given);
  if (entry?.kind === 'dir') return entry.path;
  const shown = files.absolute(given);
  throw new DiffException(`No directory is at ${shown}; check the path.`, { context: { argument, path: shown } });
};

const demandThere = async (files: FilePort, from: string): Promise<void> => {
  const kind = (await files.stat(from, { followLinks: false }))?.kind;
  if (kind === 'file' || kind === 'link') return;
  throw new DiffException(`No file at ${from} to take the content from; compare the trees again.`, { context: { path: from } });
};

const removeIfThere = async (files: FilePort, at: string): Promise<void> => {
  if ((await files.stat(at, { followLinks: false })) !== undefined) await files.remove(at);
};

/** Removes directories that are empty now, where the source has none. */
const prune = async ({ files, signal }: Context, roots: Roots, removed: readonly string[]): Promise<void> => {
  for (const name of new Set(removed.map((each) => dirname(each)))) {
    for (let at = name; at !== '.'; at = dirname(at)) {
      const directory = join(roots.target, at);
      const isLeft = (await kindInside(files, roots.target, at)) !== 'dir' || (await files.list(directory)).length > 0;
      if (isLeft || (await kindInside(files, roots.source, at)) === 'dir') break;
      await files.removeTree(directory, { signal });
    }
  }
};

const copyEntry = async ({ files, signal }: Context, from: string, to: string): Promise<void> => {
  const isLink = (await files.stat(from, { followLinks: false }))?.kind === 'link';
  const there = await files.stat(to, { followLinks: false });
  if (there?.kind === 'dir') await removeHollow({ files, signal }, to);
  // A link in the way is replaced, never followed.
  if (there?.kind === 'link' || (isLink && there?.kind === 'file')) await files.remove(to);
  if (isLink) await files.makeLink(to, await files.readLink(from));
  else await files.copy(from, to, { keepMetadata: true, durable: false, signal });
};

/** Removes a directory that holds nothing but directories: differences do not name those. */
const removeHollow = async ({ files, signal }: Pick<Context, 'files' | 'signal'>, at: string): Promise<void> => {
  for await (const { kind, path: inside } of files.walk(at, { signal })) {
    if (kind === 'dir') continue;
    throw new DiffException(`${inside} stands in a directory where a file should go; compare the trees again.`, {
      context: { path: inside },
    });
  }
  await files.removeTree(at, { signal });
};

export const applyDirDiff = defineAction({
  name: 'FA_apply_dir_diff',
  summary: 'Replays the difference of two trees onto a third one, taking contents from a source.',
  args: {
    diff: record(
      'What FA_diff_dirs answered: `added`, `removed` and `changed`, each a list of paths below the roots.',
      shapes.list(shapes.text()),
    ),
    target: path('The tree to change; made where it is missing.', { role: ['writesTree', 'removesTree'] }),
    source: path('The tree that has what was added or changed.', { role: 'readsTree' }),
  },
  returns: shapes.nothing(),
  idempotent: true,
  examples: [
    {
      files: { 's/new': 'y', 's/n/c': '2', 't/gone': 'x', 't/n/c': '1', 't/keep': 'k' },
      args: { diff: { added: ['new'], removed: ['gone'], changed: ['n/c'] }, target: 't', source: 's' },
      value: null,
      leaves: { 't/new': 'y', 't/gone': null, 't/n/c': '2', 't/keep': 'k' },
    },
  ],
  plan: apply,
  run: apply,
});
