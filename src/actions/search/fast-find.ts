import { relative, sep } from 'node:path';
import { defineAction } from '../../core/action.ts';
import { flag, integer, list, path, text } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import { FileAccessException, ShellException } from '../../core/errors.ts';
import { type OnUnreadable, onUnreadable } from '../../core/on-unreadable.ts';
import { printedLines } from '../../core/printed.ts';
import * as shapes from '../../core/shapes.ts';
import { watched } from '../../lib/fs/watched.ts';
import { conclude } from '../../lib/partial/conclude.ts';
import { coverTree } from '../../lib/partial/cover-tree.ts';
import { findPaths } from '../../lib/search/find/find.ts';
import { type Ask, askIndex } from '../../lib/search/index/ask-index.ts';
import { findOsIndex } from '../../lib/search/index/os-index.ts';
import { noteMissing } from '../../lib/search/note-missing.ts';
import { failuresOf } from '../../lib/search/unreadable.ts';
import { demandPatterns } from '../../lib/text/demand-patterns.ts';
import { noteTruncated } from './notes.ts';

interface Wanted {
  readonly root: string;
  readonly pattern: string;
  readonly exclude: readonly string[];
  readonly on_unreadable: OnUnreadable;
}

const UNREAD = { what: 'could not be read', as: FileAccessException } as const;

/** Everything that can be wrong before a search, in a dry run too; nothing is to be searched where there is no directory. */
const grantFor = async (ctx: Context, { root, pattern, exclude, on_unreadable }: Wanted) => {
  const { files } = ctx;
  demandPatterns('pattern', pattern);
  demandPatterns('exclude', ...exclude);
  if ((await files.stat(root))?.kind !== 'dir') return undefined;
  await coverTree(ctx, { root, exclude, onUnreadable: on_unreadable, ...UNREAD });
  return files.grant(root, 'read');
};

const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
const MAX_ANSWER_MS = 15_000;

/** Asks a program of the system; that it fails is no reason to fail, because a walk finds the same. */
const asking =
  ({ spawn, log }: Context): Ask =>
  async (argv) => {
    try {
      const { returncode, stdout, truncated } = await spawn({ argv, timeoutMs: MAX_ANSWER_MS, maxOutputBytes: MAX_ANSWER_BYTES });
      // One says that nothing was found.
      return (returncode === 0 || returncode === 1) && !truncated ? stdout : undefined;
    } catch (fault) {
      if (!(fault instanceof ShellException)) throw fault;
      log('debug', `The index was not asked: ${fault.message}`);
      return undefined;
    }
  };

export const fastFind = defineAction({
  name: 'FA_fast_find',
  summary: 'Finds files below a directory by their names.',
  args: {
    root: path('The directory to search, at every depth; one that is missing holds nothing. Links are not entered.', {
      role: 'readsTree',
      mayBeMissing: true,
    }),
    pattern: text(
      'What names look like, in any case: `*.txt`, `[a-c]?.{md,json}`. With a `/` it is for the path below the root: `src/**/*.ts`.',
      { default: '*' },
    ),
    limit: integer('How many to give at most, the first in the order of paths.', { default: null, min: 0 }),
    files_only: flag('Leave out directories, links and special files.', { default: true }),
    use_index: flag('Ask the search index of the system where it is up to date.', { default: true }),
    exclude: list('Patterns of what is left out, directories with everything in them.', shapes.text(), { default: [] }),
    cursor: text('Go on behind an earlier answer that was cut: the cursor in its note.', { default: null }),
    on_unreadable: onUnreadable(),
  },
  returns: shapes.list(shapes.text()),
  idempotent: true,
  examples: [
    { files: { 'd/a.txt': '1', 'd/n/b.md': '2' }, args: { root: 'd', pattern: '*.zip' }, value: [] },
    { about: 'A directory that is not there holds nothing.', args: { root: 'nowhere' }, value: [] },
  ],
  plan: (ctx, args) => grantFor(ctx, args),
  async run(ctx, { root, pattern, limit, files_only, use_index, exclude, cursor, on_unreadable }) {
    const grant = await grantFor(ctx, { root, pattern, exclude, on_unreadable });
    const shown = ctx.files.absolute(root);
    if (grant === undefined) {
      noteMissing(ctx, shown);
      return [];
    }
    // One more than wanted tells whether there are more.
    const query = { pattern, exclude, filesOnly: files_only, most: limit === null ? Number.MAX_SAFE_INTEGER : limit + 1, after: cursor };
    const { paths, lines, areFirst, unreadable } = await watched(ctx, grant, `find in ${shown}`, (signal) =>
      findPaths({
        grant,
        shown,
        query,
        signal,
        asLines: ctx.isPrinted && limit === null,
        async askIndex() {
          // A caller with limits is walked by open directories; what an index says cannot be checked that way.
          const index = use_index && !grant.byHandles ? findOsIndex() : undefined;
          return index && askIndex(index, grant.root, pattern, asking(ctx));
        },
      }),
    );
    if (limit !== null && paths.length > limit) {
      paths.length = limit;
      const last = paths.at(-1);
      noteTruncated(ctx, limit, areFirst && last !== undefined ? relative(shown, last).replaceAll(sep, '/') : null);
    }
    return conclude(ctx, {
      value: lines === undefined ? paths : printedLines(lines),
      unreadable: failuresOf(shown, unreadable),
      onUnreadable: on_unreadable,
      ...UNREAD,
    });
  },
});
