import { defineAction } from '../../core/action.ts';
import { path, paths } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import { TextOpsException } from '../../core/errors.ts';
import type { Writer } from '../../core/files.ts';
import { boolean } from '../../core/shapes.ts';
import { counted } from './counted.ts';

interface FileMergeArgs {
  readonly parts: readonly string[];
  readonly target_path: string;
}

/** Looks at every part before anything is made: a missing one must leave no trace. */
const begin = async ({ files, signal }: Context, { parts, target_path }: FileMergeArgs): Promise<{ target: Writer; bytes: number }> => {
  if (parts.length === 0)
    throw new TextOpsException('There is nothing to merge; give at least one part.', { context: { argument: 'parts' } });
  let bytes = 0;
  for (const part of parts) {
    await using source = await files.open(part);
    bytes += source.entry.size;
  }
  return { target: await files.create(target_path, { signal, expectedBytes: bytes }), bytes };
};

export const fileMerge = defineAction({
  name: 'FA_file_merge',
  summary: 'Joins files into one, in the order given.',
  args: {
    parts: paths('The files to join, at least one.', { role: 'reads' }),
    target_path: path('The file to write; missing directories are made.', { role: 'writes' }),
  },
  returns: boolean(),
  examples: [
    {
      files: { 'a.part000': 'one ', 'a.part001': 'two' },
      args: { parts: ['a.part000', 'a.part001'], target_path: 'a' },
      value: true,
      leaves: { a: 'one two' },
    },
  ],
  async plan(ctx, args) {
    const { target } = await begin(ctx, args);
    await target.commit();
  },
  async run(ctx, args) {
    const begun = await begin(ctx, args);
    await using target = begun.target;
    const shown = ctx.progress(`merge into ${args.target_path}`, begun.bytes);
    for (const part of args.parts) {
      await using source = await ctx.files.open(part);
      for await (const chunk of counted(source.stream(), shown)) await target.write(chunk);
    }
    await target.commit();
    return true;
  },
});
