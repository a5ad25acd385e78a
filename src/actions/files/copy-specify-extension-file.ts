import { basename, dirname, join } from 'node:path';
import { defineAction } from '../../core/action.ts';
import { flag, path, text } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import { DirNotExistsException, FileAccessException, PathExistsException } from '../../core/errors.ts';
import { type OnUnreadable, onUnreadable } from '../../core/on-unreadable.ts';
import * as shapes from '../../core/shapes.ts';
import { attemptEach } from '../../lib/partial/attempt-each.ts';
import { createBypass } from '../../lib/partial/bypass.ts';
import { conclude } from '../../lib/partial/conclude.ts';
import { hasExtension } from '../../lib/text/extension.ts';

interface CopyExtensionArgs {
  readonly file_dir_path: string;
  readonly target_extension: string;
  readonly target_path: string;
  readonly copy_metadata: boolean;
  readonly on_unreadable: OnUnreadable;
}

const copyMatching = async (
  ctx: Context,
  { file_dir_path, target_extension, target_path, copy_metadata, on_unreadable }: CopyExtensionArgs,
): Promise<boolean> => {
  const { files, signal } = ctx;
  if ((await files.stat(file_dir_path))?.kind !== 'dir') {
    const shown = files.absolute(file_dir_path);
    throw new DirNotExistsException(`No directory is at ${shown}; check the path.`, {
      context: { argument: 'file_dir_path', path: shown },
    });
  }
  await demandRoom(ctx, target_path);
  // All targets are settled before the first copy, so that two files of one name cannot swallow each other.
  const sources = new Map<string, string>();
  const bypass = createBypass();
  for await (const { path: source, kind } of files.walk(file_dir_path, { bypass, signal })) {
    if (kind !== 'file' || !hasExtension(source, target_extension)) continue;
    const target = join(files.absolute(target_path), basename(source));
    const other = sources.get(target);
    if (other !== undefined) {
      throw new PathExistsException(`Both ${other} and ${source} would become ${target}; nothing was copied.`, {
        context: { path: target, sources: [other, source] },
      });
    }
    sources.set(target, source);
  }
  const attempted = await attemptEach(
    sources,
    { files, signal, bypass, sourceOf: ([, source]) => source, pathOf: ([target]) => target },
    ([target, source]) => files.copy(source, target, { keepMetadata: copy_metadata, durable: false, signal }),
  );
  return conclude(ctx, {
    value: true,
    ...attempted,
    onUnreadable: on_unreadable,
    what: 'could not be copied',
    as: FileAccessException,
  });
};

/** Refuses a directory that cannot be made because something else is in its place or on the way to it. */
const demandRoom = async ({ files }: Context, target: string): Promise<void> => {
  let path = files.absolute(target);
  let there = await files.stat(path);
  while (there === undefined && dirname(path) !== path) {
    path = dirname(path);
    there = await files.stat(path);
  }
  if (there === undefined || there.kind === 'dir') return;
  throw new PathExistsException(`${path} is no directory, so no copies can go into ${files.absolute(target)}; choose another target.`, {
    context: { argument: 'target_path', path },
  });
};

export const copySpecifyExtensionFile = defineAction({
  name: 'FA_copy_specify_extension_file',
  summary: 'Copies every file with one extension below a directory into another directory, without its folders.',
  args: {
    file_dir_path: path('The directory to search, at every depth.', { role: 'readsTree' }),
    target_extension: text('The extension, with or without the dot; upper and lower case differ.', { minLength: 1 }),
    target_path: path('The directory for the copies; made where it is missing.', { role: 'writesTree' }),
    copy_metadata: flag('Keep times and modes.', { default: true }),
    on_unreadable: onUnreadable(),
  },
  returns: shapes.flag(),
  idempotent: true,
  examples: [
    {
      files: { 'in/a.txt': '1', 'in/deep/b.txt': '2', 'in/c.md': '3' },
      dirs: ['out'],
      args: { file_dir_path: 'in', target_extension: 'txt', target_path: 'out' },
      value: true,
      leaves: { 'out/a.txt': '1', 'out/b.txt': '2', 'out/c.md': null },
    },
    {
      about: 'Into a directory that is not there yet.',
      files: { 'in/a.txt': '1', 'in/deep/b.txt': '2' },
      args: { file_dir_path: 'in', target_extension: 'txt', target_path: 'new/out' },
      value: true,
      leaves: { 'new/out/a.txt': '1', 'new/out/b.txt': '2' },
    },
  ],
  plan: copyMatching,
  run: copyMatching,
});
