import { basename, join } from 'node:path';
import { defineAction } from '../../core/action.ts';
import { flag, path } from '../../core/args.ts';
import type { Entry } from '../../core/files.ts';
import { array, choice, object, string, whole } from '../../core/shapes.ts';
import { demandDir } from './demand-dir.ts';

const described = ({ path: where, kind, size, mtimeMs }: Entry) => ({
  name: basename(where),
  path: where,
  type: kind,
  size,
  modified_at: new Date(mtimeMs).toISOString(),
});

export const listDir = defineAction({
  name: 'FA_list_dir',
  summary: 'Lists the entries of a directory, sorted by name.',
  args: {
    dir_path: path('The directory to list.', { role: 'readsTree', default: '.' }),
    recursive: flag('Everything below it too; links are listed, not entered.', { default: false }),
  },
  returns: array(
    object({ name: string(), path: string(), type: choice(['file', 'dir', 'link', 'other']), size: whole(), modified_at: string() }),
  ),
  idempotent: true,
  examples: [{ files: { 'd/a.txt': 'hi' }, args: { dir_path: 'd' } }],
  async run({ files, signal }, { dir_path, recursive }) {
    const { path: root } = await demandDir(files, dir_path, 'dir_path');
    const paths: string[] = [];
    if (recursive) for await (const entry of files.walk(root, { signal })) paths.push(entry.path);
    else for (const { name } of await files.list(root)) paths.push(join(root, name));
    const entries: ReturnType<typeof described>[] = [];
    for (const each of paths.sort()) {
      const entry = await files.stat(each, { followLinks: false });
      if (entry !== undefined) entries.push(described(entry)); // one that vanished meanwhile is not there
    }
    return entries;
  },
});
