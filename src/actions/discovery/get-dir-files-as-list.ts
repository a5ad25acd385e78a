import { defineAction } from '../../core/action.ts';
import { path, text } from '../../core/args.ts';
import { array, string } from '../../core/shapes.ts';
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
  },
  returns: array(string()),
  idempotent: true,
  examples: [
    { files: { 'd/a.txt': '1' }, args: { dir_path: 'd', default_search_file_extension: '.zip' }, value: [] },
    { about: 'A directory that is not there holds nothing.', args: { dir_path: 'nowhere' }, value: [] },
  ],
  async run({ files, signal, cwd }, { dir_path, default_search_file_extension }) {
    const root = dir_path ?? cwd;
    if ((await files.stat(root))?.kind !== 'dir') return [];
    const found: string[] = [];
    for await (const entry of files.walk(root, { signal })) {
      if (entry.kind === 'file' && hasExtension(entry.name, default_search_file_extension, { anyCase: true })) found.push(entry.path);
    }
    return found;
  },
});
