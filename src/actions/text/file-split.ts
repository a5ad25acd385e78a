import { basename, dirname, join } from 'node:path';
import { defineAction } from '../../core/action.ts';
import { integer, path } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import { TextOpsException } from '../../core/errors.ts';
import type { Entry, FilePort } from '../../core/files.ts';
import * as shapes from '../../core/shapes.ts';
import { counted } from './counted.ts';

interface FileSplitArgs {
  readonly file_path: string;
  readonly chunk_size: number;
  readonly output_dir: string | null;
}

interface Part {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

/** More files than this help nobody. */
const MAX_PARTS = 100_000;

const partsOf = ({ size }: Entry, { files }: Context, { file_path, chunk_size, output_dir }: FileSplitArgs): readonly Part[] => {
  const source = files.absolute(file_path);
  const count = Math.ceil(size / chunk_size);
  if (count > MAX_PARTS) {
    throw new TextOpsException(`${file_path} would become ${count} parts, more than ${MAX_PARTS}; choose a larger chunk_size.`, {
      context: { argument: 'chunk_size', parts: count, limit: MAX_PARTS },
    });
  }
  const stem = join(output_dir === null ? dirname(source) : files.absolute(output_dir), basename(source));
  return Array.from({ length: count }, (_, at) => ({
    path: `${stem}.part${String(at).padStart(3, '0')}`,
    start: at * chunk_size,
    end: Math.min(size, (at + 1) * chunk_size),
  }));
};

/** The directories that are missing on the way to where the parts go, the lowest first. */
const missingFor = async ({ files }: Context, { output_dir }: FileSplitArgs): Promise<readonly string[]> => {
  const missing: string[] = [];
  if (output_dir === null) return missing;
  for (let at = files.absolute(output_dir); (await files.stat(at)) === undefined; at = dirname(at)) missing.push(at);
  return missing;
};

const prepare = async (ctx: Context, args: FileSplitArgs, entry: Entry): Promise<readonly Part[]> => {
  const parts = partsOf(entry, ctx, args);
  if (args.output_dir !== null) await ctx.files.makeDir(args.output_dir, { parents: true });
  return parts;
};

const split = async (ctx: Context, args: FileSplitArgs): Promise<string[]> => {
  const { files, progress } = ctx;
  await using source = await files.open(args.file_path);
  const directories = await missingFor(ctx, args);
  const parts = await prepare(ctx, args, source.entry);
  const shown = progress(`split ${source.entry.name}`, source.entry.size);
  const made: string[] = [];
  try {
    for (const part of parts) {
      const isNew = (await files.stat(part.path)) === undefined;
      await writePart(ctx, part, counted(source.stream(part), shown));
      if (isNew) made.push(part.path);
    }
  } catch (fault) {
    await takeBack(files, made, directories);
    throw fault;
  }
  return parts.map(({ path }) => path);
};

/** What cannot go stays: what the work has failed of is the better news. */
const takeBack = async (files: FilePort, parts: readonly string[], directories: readonly string[]): Promise<void> => {
  const { signal } = new AbortController(); // also where the command was stopped
  try {
    for (const path of parts) await files.remove(path, { isNew: true });
    for (const path of directories) await files.removeTree(path, { signal, isNew: true });
  } catch {
    // somebody uses it, or has taken it away
  }
};

const writePart = async ({ files, signal }: Context, { path, start, end }: Part, chunks: AsyncIterable<Uint8Array>): Promise<void> => {
  await using target = await files.create(path, { signal });
  let bytes = 0;
  for await (const chunk of chunks) {
    await target.write(chunk);
    bytes += chunk.byteLength;
  }
  if (bytes < end - start) {
    throw new TextOpsException(`The file became shorter while it was split, at ${path}; split it again when nobody writes to it.`, {
      context: { path },
    });
  }
  await target.commit();
};

export const fileSplit = defineAction({
  name: 'FA_file_split',
  summary: 'Cuts a file into numbered parts and tells their paths.',
  args: {
    file_path: path('The file to cut; it stays.', { role: 'reads' }),
    chunk_size: integer('Most bytes of a part.', { min: 1 }),
    output_dir: path('Where the parts go, made if missing; by default beside the file.', { role: 'writes', default: null }),
  },
  returns: shapes.list(shapes.text()),
  examples: [
    {
      about: 'Parts in a directory of their own.',
      files: { a: 'one two' },
      args: { file_path: 'a', chunk_size: 4, output_dir: 'parts' },
      leaves: { 'parts/a.part000': 'one ', 'parts/a.part001': 'two' },
    },
    {
      files: { 'a.bin': '0123456789' },
      args: { file_path: 'a.bin', chunk_size: 4 },
      leaves: { 'a.bin.part000': '0123', 'a.bin.part001': '4567', 'a.bin.part002': '89' },
    },
  ],
  async plan(ctx, args) {
    await using source = await ctx.files.open(args.file_path);
    for (const { path: target, start, end } of await prepare(ctx, args, source.entry)) {
      await using part = await ctx.files.create(target, { signal: ctx.signal, expectedBytes: end - start });
      await part.commit();
    }
  },
  run: split,
});
