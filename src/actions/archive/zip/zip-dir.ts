import { join } from 'node:path';
import { defineAction } from '../../../core/action.ts';
import { integer, path } from '../../../core/args.ts';
import type { Context } from '../../../core/context.ts';
import { ArchiveException, DirNotExistsException } from '../../../core/errors.ts';
import { type OnUnreadable, onUnreadable } from '../../../core/on-unreadable.ts';
import { nothing } from '../../../core/shapes.ts';
import { type Collected, gather } from '../../../lib/archive/gather/gather.ts';
import type { ZipWriter } from '../../../lib/archive/zip/zip-writer.ts';
import { type CountedBypass, createBypass } from '../../../lib/partial/bypass.ts';
import { conclude } from '../../../lib/partial/conclude.ts';
import { noteSpecial } from '../../../lib/partial/note-special.ts';
import { unpackFault } from '../../../lib/workers/messages.ts';
import { fileChunks } from '../pack/file-chunks.ts';
import { foreseePack, pathsOf } from '../pack/foresee-pack.ts';
import { namesBelow } from '../pack/names-below.ts';
import { openSource } from '../pack/open-source.ts';
import { packableNames } from '../pack/packable.ts';
import { writeZip } from '../pack/write-zip.ts';
import { packPassword } from './pack-args.ts';

interface ZipDirArgs {
  readonly dir_we_want_to_zip: string;
  readonly zip_name: string;
  readonly level: number;
  readonly password: Uint8Array | null;
  readonly on_unreadable: OnUnreadable;
}

const zipTarget = (name: string): string => (/\.zip$/i.test(name) ? name : `${name}.zip`);

const namesFor = async (
  { files, signal }: Context,
  { dir_we_want_to_zip, zip_name }: ZipDirArgs,
  bypass: CountedBypass,
): Promise<string[][]> => {
  if ((await files.stat(dir_we_want_to_zip))?.kind !== 'dir') {
    throw new DirNotExistsException(`No directory at ${files.absolute(dir_we_want_to_zip)}; check the path.`, {
      context: { argument: 'dir_we_want_to_zip', path: files.absolute(dir_we_want_to_zip) },
    });
  }
  const names = await namesBelow(files, dir_we_want_to_zip, { except: zipTarget(zip_name), bypass, signal });
  return packableNames(names, { directory: files.absolute(dir_we_want_to_zip), bypass });
};

const plan = async (context: Context, args: ZipDirArgs): Promise<null> => {
  const bypass = createBypass();
  const sources = pathsOf(args.dir_we_want_to_zip, await namesFor(context, args, bypass));
  await foreseePack(context, { sources, target: zipTarget(args.zip_name), bypass });
  return end(context, bypass, args);
};

const end = (context: Context, bypass: CountedBypass, { on_unreadable }: ZipDirArgs): null =>
  conclude(context, {
    value: null,
    ...bypass.passed(),
    onUnreadable: on_unreadable,
    what: 'could not be read and put into the archive',
    as: ArchiveException,
  });

const run = async (context: Context, args: ZipDirArgs): Promise<null> => {
  const { files, signal, progress } = context;
  const { dir_we_want_to_zip, zip_name, level, password } = args;
  const bypass = createBypass();
  const names = await namesFor(context, args, bypass);
  const { root, byHandles } = await files.grant(dir_we_want_to_zip, 'read');
  const shown = progress(`zip ${files.absolute(zipTarget(zip_name))}`, names.length, 'items');
  const leftOut: string[] = [];
  await writeZip(context, zipTarget(zip_name), { password, level }, async (zip) => {
    // What is encrypted is compressed by whoever encrypts it.
    for await (const each of gather(names, { root, byHandles, level: password === null ? level : 0, signal })) {
      if (each.found.kind === 'other') leftOut.push(each.segments.join('/'));
      await addTo(zip, each, { context, path: join(files.absolute(dir_we_want_to_zip), ...each.segments), level, bypass });
      shown.advance(1);
    }
  });
  noteSpecial(context, leftOut.length, leftOut);
  return end(context, bypass, args);
};

interface Adding {
  readonly context: Context;
  readonly path: string;
  readonly level: number;
  readonly bypass: CountedBypass;
}

const addTo = async (
  zip: ZipWriter,
  { segments, found, content }: Collected,
  { context: { files, signal }, path, level, bypass }: Adding,
): Promise<void> => {
  if (found.kind === 'vanished') return bypass.vanished(1);
  if (found.kind === 'unreadable') return bypass.unreadable(path, unpackFault(found.fault));
  const name = segments.join('/');
  const member = { name: found.kind === 'dir' ? `${name}/` : name, mtimeMs: found.mtimeMs, mode: found.mode };
  switch (found.kind) {
    case 'file':
      return zip.add(member, { data: content, isDeflated: found.isDeflated, checksum: found.checksum, size: found.size });
    case 'dir':
      return zip.addBytes(member, new Uint8Array(0));
    case 'link':
      return zip.addBytes(member, Buffer.from(found.target));
    case 'large': {
      await using reader = await openSource(files, path, bypass);
      if (reader === undefined) return;
      return await zip.addStream(member, found.size, fileChunks(reader), { level, signal });
    }
    case 'other':
      return undefined;
  }
};

export const zipDir = defineAction({
  name: 'FA_zip_dir',
  summary: 'Packs the contents of a directory into a zip archive.',
  args: {
    dir_we_want_to_zip: path('The directory to pack; its entries are named from it.', { role: 'readsTree' }),
    zip_name: path('The archive to write; .zip is added where it is missing.', { role: 'writes' }),
    level: integer('How hard to compress: 0 not at all, 9 hardest.', { default: 4, min: 0, max: 9 }),
    password: packPassword,
    on_unreadable: onUnreadable(),
  },
  returns: nothing(),
  idempotent: true,
  examples: [
    {
      files: { 'photos/a.txt': 'one', 'photos/trip/b.txt': 'two' },
      args: { dir_we_want_to_zip: 'photos', zip_name: 'photos' },
      value: null,
    },
  ],
  plan,
  run,
});
