import { basename } from 'node:path';
import { defineAction } from '../../../core/action.ts';
import { either, integer, path } from '../../../core/args.ts';
import type { Context } from '../../../core/context.ts';
import { FileNotExistsException, ZipInputException } from '../../../core/errors.ts';
import type { Entry, FilePort } from '../../../core/files.ts';
import * as shapes from '../../../core/shapes.ts';
import { fileChunks } from '../pack/file-chunks.ts';
import { foreseePack } from '../pack/foresee-pack.ts';
import { whyNotPackable } from '../pack/packable.ts';
import { writeZip } from '../pack/write-zip.ts';
import { packPassword } from './pack-args.ts';

interface ZipFileArgs {
  readonly zip_file_path: string;
  readonly file: string | readonly string[];
  readonly level: number;
  readonly password: Uint8Array | null;
}

/** The files to pack, each under its own name; refuses what is no file and names that occur twice. */
const sourcesOf = async (files: FilePort, { file, zip_file_path }: ZipFileArgs): Promise<Entry[]> => {
  const names = new Set<string>();
  const sources: Entry[] = [];
  for (const each of typeof file === 'string' ? [file] : file) {
    const entry = await files.stat(each);
    if (entry === undefined)
      throw new FileNotExistsException(`No file at ${files.absolute(each)}; check the path.`, {
        context: { argument: 'file', path: files.absolute(each) },
      });
    if (entry.kind !== 'file') throw refused(`${entry.path} is no file; pack a directory with FA_zip_dir`, entry.path);
    const fault = whyNotPackable(basename(entry.path), entry.path);
    if (fault !== undefined) throw refused(fault.message.slice(0, -1), entry.path);
    if (names.has(basename(entry.path)))
      throw refused(`Two of the files are called ${basename(entry.path)}; pack them one by one or rename one`, entry.path);
    if (entry.identity === (await files.stat(zip_file_path))?.identity)
      throw refused(`${entry.path} is the archive itself; choose another target`, entry.path);
    names.add(basename(entry.path));
    sources.push(entry);
  }
  return sources;
};

const refused = (message: string, at: string) => new ZipInputException(`${message}.`, { context: { argument: 'file', path: at } });

const plan = async (context: Context, args: ZipFileArgs): Promise<void> =>
  foreseePack(context, { sources: (await sourcesOf(context.files, args)).map((entry) => entry.path), target: args.zip_file_path });

const run = async (context: Context, args: ZipFileArgs): Promise<null> => {
  const { files, signal, progress } = context;
  const sources = await sourcesOf(files, args);
  const shown = progress(
    `zip ${files.absolute(args.zip_file_path)}`,
    sources.reduce((sum, { size }) => sum + size, 0),
  );
  await writeZip(context, args.zip_file_path, args, async (zip) => {
    for (const { path: source } of sources) {
      await using reader = await files.open(source);
      const { size, mtimeMs, mode } = reader.entry;
      await zip.addStream({ name: basename(source), mtimeMs, mode }, size, fileChunks(reader), {
        level: args.level,
        signal,
        onInput: (chunk) => shown.advance(chunk.byteLength),
      });
    }
  });
  return null;
};

export const zipFile = defineAction({
  name: 'FA_zip_file',
  summary: 'Packs one file or a list of files into a zip archive.',
  args: {
    zip_file_path: path('The archive to write; an existing one is replaced.', { role: 'writes' }),
    file: either(
      'The file or files to pack, each under its own name without directories.',
      [shapes.text({ minLength: 1 }), shapes.list(shapes.text({ minLength: 1 }), { minItems: 1 })],
      { role: 'reads' },
    ),
    level: integer('How hard to compress: 0 not at all, 9 hardest.', { default: 0, min: 0, max: 9 }),
    password: packPassword,
  },
  returns: shapes.nothing(),
  idempotent: true,
  examples: [
    { files: { 'a.txt': 'one' }, args: { zip_file_path: 'a.zip', file: 'a.txt' }, value: null },
    {
      about: 'Several files.',
      files: { 'a.txt': 'one', 'd/b.txt': 'two' },
      args: { zip_file_path: 'both.zip', file: ['a.txt', 'd/b.txt'] },
      value: null,
    },
  ],
  plan,
  run,
});
