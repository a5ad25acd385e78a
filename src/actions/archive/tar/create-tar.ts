import { basename } from 'node:path';
import { defineAction } from '../../../core/action.ts';
import { either, path } from '../../../core/args.ts';
import type { Context } from '../../../core/context.ts';
import { TarException } from '../../../core/errors.ts';
import type { Entry } from '../../../core/files.ts';
import { type OnUnreadable, onUnreadable } from '../../../core/on-unreadable.ts';
import * as shapes from '../../../core/shapes.ts';
import { blocksOf } from '../../../lib/archive/deflate/blocks.ts';
import { type CountedBypass, createBypass } from '../../../lib/partial/bypass.ts';
import { conclude } from '../../../lib/partial/conclude.ts';
import { noteSpecial } from '../../../lib/partial/note-special.ts';
import { foreseePack, pathsOf } from '../pack/foresee-pack.ts';
import { namesBelow } from '../pack/names-below.ts';
import { packableNames, whyNotPackable } from '../pack/packable.ts';
import { asTarFault } from './as-tar-fault.ts';
import { tarCompression } from './tar-compression.ts';
import { tarStream } from './tar-stream.ts';

interface CreateTarArgs {
  readonly source: string;
  readonly target: string;
  readonly compression: string | null;
  readonly on_unreadable: OnUnreadable;
}

/** Small pieces are written together. */
const BYTES_PER_WRITE = 256 * 1024;

const look = async (
  { files, signal }: Context,
  { source, target }: CreateTarArgs,
  bypass: CountedBypass,
): Promise<{ readonly top: Entry; readonly names: string[][] }> => {
  const top = await files.stat(source);
  if (top?.kind !== 'file' && top?.kind !== 'dir')
    throw new TarException(`No file or directory at ${files.absolute(source)}; check the path.`, {
      context: { argument: 'source', path: files.absolute(source) },
    });
  const there = await files.stat(target);
  if (there?.kind === 'dir')
    throw new TarException(`${there.path} is a directory; give the path of the archive.`, {
      context: { argument: 'target', path: there.path },
    });
  const fault = whyNotPackable(basename(top.path), top.path);
  if (fault !== undefined) throw fault;
  if (top.kind === 'dir') {
    const names = await namesBelow(files, source, { except: target, bypass, signal });
    return { top, names: packableNames(names, { directory: top.path, top: basename(top.path), bypass }) };
  }
  if (top.identity === there?.identity)
    throw new TarException(`${top.path} cannot be packed into itself; choose another target.`, {
      context: { argument: 'target', path: top.path },
    });
  return { top, names: [] };
};

const plan = async (context: Context, args: CreateTarArgs): Promise<string> => {
  tarCompression(args.compression);
  const bypass = createBypass();
  const { top, names } = await look(context, args, bypass);
  const { target } = args;
  if (top.kind === 'file') await foreseePack(context, { sources: [top.path], target });
  else await foreseePack(context, { sources: pathsOf(top.path, names), target, bypass });
  return end(context, bypass, args);
};

const end = (context: Context, bypass: CountedBypass, { target, on_unreadable }: CreateTarArgs): string =>
  conclude(context, {
    value: context.files.absolute(target),
    ...bypass.passed(),
    onUnreadable: on_unreadable,
    what: 'could not be read and put into the archive',
    as: TarException,
  });

const run = async (context: Context, args: CreateTarArgs): Promise<string> => {
  const bypass = createBypass();
  await asTarFault(() => pack(context, args, bypass));
  return end(context, bypass, args);
};

const pack = async (context: Context, args: CreateTarArgs, bypass: CountedBypass): Promise<void> => {
  const { files, signal, progress } = context;
  const compression = tarCompression(args.compression);
  const { top, names } = await look(context, args, bypass);
  const target = files.absolute(args.target);
  const shown = progress(`tar ${target}`, names.length + 1, 'items');
  const leftOut: string[] = [];
  const onEntry = (name?: string) => {
    if (name !== undefined) leftOut.push(name);
    shown.advance(1);
  };
  await using writer = await files.create(target, { signal });
  const plain = tarStream(context, { top, names, bypass, onEntry });
  for await (const chunk of compression === undefined ? blocksOf(plain, BYTES_PER_WRITE) : compression.pack(plain, { signal }))
    await writer.write(chunk);
  await writer.commit();
  noteSpecial(context, leftOut.length, leftOut);
};

export const createTar = defineAction({
  name: 'FA_create_tar',
  summary: 'Packs a file or directory into a tar archive; gives its path.',
  args: {
    source: path('The file or directory to pack; the member at the top has its name.', { role: 'readsTree' }),
    target: path('The archive to write; its directory is created where it is missing.', { role: 'writes' }),
    compression: either('gz, bz2, xz or zst; none or null for a plain archive.', [shapes.text(), shapes.nothing()], { default: 'gz' }),
    on_unreadable: onUnreadable(),
  },
  returns: shapes.text(),
  idempotent: true,
  examples: [
    { files: { 's/a.txt': 'one', 's/n/b.txt': 'two' }, args: { source: 's', target: 's.tgz' } },
    { about: 'One file, not compressed.', files: { 'a.txt': 'one' }, args: { source: 'a.txt', target: 'out/a.tar', compression: null } },
  ],
  plan,
  run,
});
