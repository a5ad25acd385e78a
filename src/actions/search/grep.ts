import { defineAction } from '../../core/action.ts';
import { flag, integer, list, path, text } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import { ArgumentException, GrepException } from '../../core/errors.ts';
import { type OnUnreadable, onUnreadable } from '../../core/on-unreadable.ts';
import { printedJson } from '../../core/printed.ts';
import * as shapes from '../../core/shapes.ts';
import { watched } from '../../lib/fs/watched.ts';
import { conclude } from '../../lib/partial/conclude.ts';
import { coverTree } from '../../lib/partial/cover-tree.ts';
import { collectJson, collectMatches } from '../../lib/search/grep/collect.ts';
import { grepTree } from '../../lib/search/grep/grep.ts';
import { prepareLineTest } from '../../lib/search/grep/line-test.ts';
import type { GrepMatch } from '../../lib/search/grep/matches.ts';
import { noteLeftOut } from '../../lib/search/note-left-out.ts';
import { failuresOf } from '../../lib/search/unreadable.ts';
import { demandPatterns } from '../../lib/text/demand-patterns.ts';
import { noteTruncated } from './notes.ts';

const MAX_CONTEXT_LINES = 100;
const MAX_LINE_CHARS = 1_000_000;

interface Wanted {
  readonly root: string;
  readonly pattern: string;
  readonly glob: string | null;
  readonly regex: boolean;
  readonly ignore_case: boolean;
  readonly exclude: readonly string[];
  readonly cursor: string | null;
  readonly on_unreadable: OnUnreadable;
}

const UNREAD = { what: 'could not be read', as: GrepException } as const;

/** Everything that can be wrong before a search, in a dry run too. */
const prepare = async (ctx: Context, { root, pattern, glob, regex, ignore_case, exclude, cursor, on_unreadable }: Wanted) => {
  const { files } = ctx;
  if (!regex && /[\r\n]/.test(pattern)) {
    throw new ArgumentException('The pattern holds a line end, but lines are searched one by one; search for a part of one line.', {
      context: { argument: 'pattern' },
    });
  }
  demandPatterns('glob', glob);
  demandPatterns('exclude', ...exclude);
  await prepareLineTest({ pattern, isRegex: regex, ignoreCase: ignore_case });
  const behind = cursor === null ? null : readCursor(cursor);
  const shown = files.absolute(root);
  const entry = await files.stat(root);
  if (entry?.kind !== 'dir') {
    const what =
      entry === undefined
        ? `No directory is at ${shown}; check the path.`
        : `${shown} is no directory; give the one that it is in, and its name as glob.`;
    throw new GrepException(what, { context: { argument: 'root', path: shown } });
  }
  await coverTree(ctx, { root, exclude, onUnreadable: on_unreadable, ...UNREAD });
  return { shown, behind, grant: await files.grant(root, 'read') };
};

const readCursor = (cursor: string) => {
  const [, line, path] = /^(\d{1,10}):(.+)$/s.exec(cursor) ?? [];
  if (line === undefined || path === undefined) {
    throw new ArgumentException('The cursor is none; take it from the note of the answer that was cut.', {
      context: { argument: 'cursor' },
    });
  }
  return { line: Number(line), path };
};

export const grep = defineAction({
  name: 'FA_grep',
  aliases: ['FA_grep_files'],
  summary: 'Finds lines of files below a directory that hold a text or match a regular expression.',
  args: {
    root: path('The directory to search, at every depth. Links are not followed.', { role: 'readsTree' }),
    pattern: text('The text to look for in each line.', { minLength: 1 }),
    glob: text('Only files that look like this: `*.ts`, or with a `/` for the path below the root: `src/**/*.ts`.', { default: null }),
    regex: flag('The pattern is a regular expression (RE2: no look-around, no references back).', { default: false }),
    ignore_case: flag('Take letters in either case.', { default: false }),
    max_matches: integer('How many lines to give at most, the first in the order of paths.', { default: 1000, min: 1 }),
    max_line_len: integer('Longer lines are cut after so many characters.', { default: 4096, min: 1, max: MAX_LINE_CHARS }),
    before: integer('How many lines before each match to give with it.', { default: 0, min: 0, max: MAX_CONTEXT_LINES }),
    after: integer('How many lines after each match to give with it.', { default: 0, min: 0, max: MAX_CONTEXT_LINES }),
    exclude: list('Patterns of what is left out, directories with everything in them.', shapes.text(), { default: [] }),
    cursor: text('Go on behind an earlier answer that was cut: the cursor in its note.', { default: null }),
    on_unreadable: onUnreadable(),
  },
  returns: shapes.list(
    shapes.object(
      { path: shapes.text(), line: shapes.integer(), text: shapes.text() },
      { before: shapes.list(shapes.text()), after: shapes.list(shapes.text()) },
    ),
  ),
  idempotent: true,
  examples: [{ files: { 'd/a.txt': 'alpha\n' }, args: { root: 'd', pattern: 'beta' }, value: [] }],
  plan: (ctx, args) => prepare(ctx, args),
  async run(ctx, args) {
    const { shown, behind, grant } = await prepare(ctx, args);
    const { pattern, regex, ignore_case, glob, exclude, max_matches, max_line_len, before, after } = args;
    const query = {
      pattern,
      isRegex: regex,
      ignoreCase: ignore_case,
      glob,
      exclude,
      most: max_matches + 1, // tells whether there are more
      maxLineChars: max_line_len,
      before,
      after,
      behind,
      jsonBelow: ctx.isPrinted ? shown : null,
    };
    const found = ctx.isPrinted ? collectJson(printedJson<GrepMatch[]>) : collectMatches(shown, max_line_len);
    const left = await watched(ctx, grant, `grep in ${shown}`, (signal) => grepTree({ grant, query, into: found, signal }));
    noteLeftOut(ctx, shown, left.binary, { kind: 'skipped', what: 'may hold the pattern but is binary, and was left out' });
    noteLeftOut(ctx, shown, left.endless, { kind: 'skipped', what: 'has a line too long to be searched to its end' });
    if (found.count > max_matches) {
      const last = found.cut(max_matches);
      noteTruncated(ctx, max_matches, last === undefined ? null : `${last.line}:${last.path}`);
    }
    return conclude(ctx, {
      value: found.count === 0 ? [] : found.value(), // nothing is printed as any empty list is
      unreadable: failuresOf(shown, left.unreadable),
      onUnreadable: args.on_unreadable,
      ...UNREAD,
    });
  },
});
