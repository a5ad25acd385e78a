import { defineAction } from '../../core/action.ts';
import { path, paths } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import { TextOpsException } from '../../core/errors.ts';
import type { Reader, Writer } from '../../core/files.ts';
import * as shapes from '../../core/shapes.ts';
import { editFile, isSameFile } from '../../lib/fs/edit-file.ts';
import { counted } from './counted.ts';

interface FileMergeArgs {
  readonly parts: readonly string[];
  readonly target_path: string;
}

/** Looks at every part before anything is made: a missing one must leave no trace. Answers how much there is. */
const begin = async ({ files }: Context, { parts }: FileMergeArgs): Promise<number> => {
  if (parts.length === 0)
    throw new TextOpsException('There is nothing to merge; give at least one part.', { context: { argument: 'parts' } });
  let bytes = 0;
  for (const part of parts) {
    await using source = await files.open(part);
    bytes += source.entry.size;
  }
  return bytes;
};

const merge = async (ctx: Context, args: FileMergeArgs): Promise<boolean> => {
  const { files, signal } = ctx;
  const bytes = await begin(ctx, args);
  const own = new Set<string>();
  for (const part of args.parts) if (await isSameFile(files, part, args.target_path)) own.add(part);

  const join = async (target: Pick<Writer, 'write'>, before?: Reader): Promise<void> => {
    const shown = ctx.progress(`merge into ${args.target_path}`, bytes);
    for (const part of args.parts) {
      await using opened = own.has(part) ? undefined : await files.open(part);
      const source = opened ?? before;
      if (source !== undefined) for await (const chunk of counted(source.stream(), shown)) await target.write(chunk);
    }
  };

  // A target that is one of the parts is changed by what it holds.
  if (own.size > 0)
    return editFile(ctx, args.target_path, async (before, target) => {
      await join(target, before);
      return { value: true, isChanged: true };
    });
  await using target = await files.create(args.target_path, { signal });
  await join(target);
  await target.commit();
  return true;
};

export const fileMerge = defineAction({
  name: 'FA_file_merge',
  summary: 'Joins files into one, in the order given.',
  args: {
    parts: paths('The files to join, at least one.', { role: 'reads' }),
    target_path: path('The file to write; missing directories are made.', { role: 'writes' }),
  },
  returns: shapes.flag(),
  examples: [
    {
      files: { 'a.part000': 'one ', 'a.part001': 'two' },
      args: { parts: ['a.part000', 'a.part001'], target_path: 'a' },
      value: true,
      leaves: { a: 'one two' },
    },
  ],
  async plan(ctx, args) {
    const expectedBytes = await begin(ctx, args);
    await using target = await ctx.files.create(args.target_path, { signal: ctx.signal, expectedBytes });
    await target.commit();
  },
  run: merge,
});
