import { dirname, extname, join } from 'node:path';
import { defineAction } from '../../core/action.ts';
import { path, text } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import { ArgumentException, DirNotExistsException, FileAccessException, PathExistsException } from '../../core/errors.ts';
import * as shapes from '../../core/shapes.ts';
import { moveEntry } from '../../lib/fs/move-entry.ts';
import { attemptEach } from '../../lib/partial/attempt-each.ts';
import { conclude } from '../../lib/partial/conclude.ts';
import { allFailures } from '../../lib/partial/failures.ts';
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

interface Step extends Renaming {
  readonly via: string;
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
  const how = { files, signal, pathOf: ({ from }: Step) => from };
  const left = await attemptEach(steps, how, ({ from, via }) => moveEntry(ctx, { from, to: via }, { exclusive: true }));
  const underway = left.done.filter(({ via, to }) => via !== to);
  const arrived = await attemptEach(underway, how, (step) => arrive(ctx, step));
  const failed = allFailures(left.failed, arrived.failed);
  const vanished = left.vanished + arrived.vanished;
  return conclude(ctx, { value: true, failed, vanished, what: 'could not be renamed', as: FileAccessException });
};

/** Gives a file that made a detour its name; where that is still taken the file gets its old one back. */
const arrive = async (ctx: Context, { from, via, to }: Step): Promise<void> => {
  try {
    await moveEntry(ctx, { from: via, to }, { exclusive: true });
  } catch (fault) {
    await moveEntry(ctx, { from: via, to: from }, { signal: NEVER, exclusive: true });
    throw fault;
  }
};

/** Nobody would look for a file under the name of a detour, so a stop does not keep it there. */
const NEVER = new AbortController().signal;

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
  returns: shapes.flag(),
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
