import { defineAction } from '../../core/action.ts';
import { path, text } from '../../core/args.ts';
import { FileAccessException } from '../../core/errors.ts';
import { onUnreadable } from '../../core/on-unreadable.ts';
import * as shapes from '../../core/shapes.ts';
import { watched } from '../../lib/fs/watched.ts';
import { conclude } from '../../lib/partial/conclude.ts';
import { coverTree } from '../../lib/partial/cover-tree.ts';
import { findPaths } from '../../lib/search/find/find.ts';
import { noteMissing } from '../../lib/search/note-missing.ts';
import { failuresOf } from '../../lib/search/unreadable.ts';
import { hasExtension } from '../../lib/text/extension.ts';

export const getDirFilesAsList = defineAction({
  name: 'FA_get_dir_files_as_list',
  summary: 'Lists the files with one extension below a directory, as absolute paths.',
  args: {
    dir_path: path('The directory to search, at every depth; by default the working directory.', {
      role: 'readsTree',
      default: null,
      mayBeMissing: true,
    }),
    default_search_file_extension: text('The extension, in any case; the dot is optional.', { default: '.json' }),
    on_unreadable: onUnreadable(),
  },
  returns: shapes.list(shapes.text()),
  idempotent: true,
  examples: [
    { files: { 'd/a.txt': '1' }, args: { dir_path: 'd', default_search_file_extension: '.zip' }, value: [] },
    { about: 'A directory that is not there holds nothing.', args: { dir_path: 'nowhere' }, value: [] },
  ],
  async plan(ctx, { dir_path, on_unreadable }) {
    const root = dir_path ?? ctx.cwd;
    if ((await ctx.files.stat(root))?.kind === 'dir') await coverTree(ctx, { root, onUnreadable: on_unreadable, ...UNREAD });
  },
  async run(ctx, { dir_path, default_search_file_extension: extension, on_unreadable }) {
    const { files, cwd } = ctx;
    const shown = files.absolute(dir_path ?? cwd);
    if ((await files.stat(shown))?.kind !== 'dir') {
      noteMissing(ctx, shown);
      return [];
    }
    const grant = await files.grant(shown, 'read');
    const query = { pattern: patternFor(extension), exclude: [], filesOnly: true, most: Number.MAX_SAFE_INTEGER, after: null };
    const { paths, unreadable } = await watched(ctx, grant, `find in ${shown}`, (signal) =>
      findPaths({ grant, shown, query, signal, askIndex: async () => undefined }),
    );
    return conclude(ctx, {
      value: paths.filter((found) => hasExtension(found, extension, { anyCase: true })),
      unreadable: failuresOf(shown, unreadable),
      onUnreadable: on_unreadable,
      ...UNREAD,
    });
  },
});

const UNREAD = { what: 'could not be read', as: FileAccessException } as const;

/** A first choice, made where the names are read; what is special in patterns is left to the second. */
const patternFor = (extension: string): string => (/^[.\w-]+$/.test(extension) ? `*${extension}` : '*');
