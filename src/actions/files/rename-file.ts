import { dirname, extname, join } from 'node:path';
import { defineAction } from '../../core/action.ts';
import { path, text } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import { ArgumentException, DirNotExistsException, PathExistsException } from '../../core/errors.ts';
import { boolean } from '../../core/shapes.ts';
import { hasExtension } from '../../lib/text/extension.ts';

interface RenameArgs {
  readonly origin_file_path: string;
  readonly target_name: string;
  readonly file_extension: string | null;
}

interface Renaming {
  readonly from: string;
  readonly to: string;
}

const rename = async (ctx: Context, args: RenameArgs): Promise<boolean> => {
  const { files, signal, newId } = ctx;
  const renamings = await settleNames(ctx, args);
  const leaving = new Set(renamings.map(({ from }) => from));
  // A name that another file of the batch still holds is reached by a detour, so that nothing is overwritten on the way. It can be seen:
  // should the process be killed there, somebody has to find the file.
  const steps = renamings.map(({ from, to }) => ({
    from,
    to,
    via: leaving.has(to) ? join(dirname(to), `renaming-${newId()}${extname(to)}`) : to,
  }));
  for (const { from, via } of steps) await files.move(from, via, { signal, exclusive: true });
  for (const { via, to } of steps) if (via !== to) await files.move(via, to, { signal, exclusive: true });
  return true;
};

/** All new names, settled and checked before the first file moves. */
const settleNames = async (
  { files, signal }: Context,
  { origin_file_path, target_name, file_extension }: RenameArgs,
): Promise<Renaming[]> => {
  if (/[/\\\0]/.test(target_name)) {
    throw new ArgumentException('target_name is the first part of file names and cannot hold a separator; give a plain name.', {
      context: { argument: 'target_name' },
    });
  }
  if ((await files.stat(origin_file_path))?.kind !== 'dir') {
    const shown = files.absolute(origin_file_path);
    throw new DirNotExistsException(`No directory is at ${shown}; check the path.`, {
      context: { argument: 'origin_file_path', path: shown },
    });
  }
  const found: string[] = [];
  for await (const { path: source, kind } of files.walk(origin_file_path, { signal })) {
    if (kind === 'file' && (file_extension === null || hasExtension(source, file_extension))) found.push(source);
  }
  const matching = new Set(found);
  const renamings = found.map((from, count) => ({ from, to: join(dirname(from), `${target_name}_${count}${extname(from)}`) }));
  for (const { from, to } of renamings) {
    if (!matching.has(to) && (await files.stat(to, { followLinks: false })) !== undefined) {
      throw new PathExistsException(`${from} would become ${to}, which exists; nothing was renamed.`, {
        context: { path: to, source: from },
      });
    }
  }
  return renamings.filter(({ from, to }) => from !== to);
};

export const renameFile = defineAction({
  name: 'FA_rename_file',
  summary: 'Renames every file below a directory to name_0, name_1 and so on, each keeping folder and extension.',
  args: {
    origin_file_path: path('The directory whose files are renamed, at every depth.', { role: 'writesTree' }),
    target_name: text('What the new names start with.', { minLength: 1 }),
    file_extension: text('Only files with this extension; the dot is optional.', { default: null }),
  },
  returns: boolean(),
  examples: [
    {
      files: { 'd/a.log': 'x', 'd/b.txt': 'y' },
      args: { origin_file_path: 'd', target_name: 'n', file_extension: 'log' },
      value: true,
      leaves: { 'd/n_0.log': 'x', 'd/a.log': null, 'd/b.txt': 'y' },
    },
  ],
  plan: rename,
  run: rename,
});
