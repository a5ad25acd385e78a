import { basename, join } from 'node:path';
import type { Context } from '../../../core/context.ts';
import { TarException } from '../../../core/errors.ts';
import type { Bypass, Entry, Reader } from '../../../core/files.ts';
import { type Collected, gather } from '../../../lib/archive/gather/gather.ts';
import { paddingOf } from '../../../lib/archive/tar/read-tar.ts';
import { TAR_END, tarHeader } from '../../../lib/archive/tar/write-tar.ts';
import { unpackFault } from '../../../lib/workers/messages.ts';
import { fileChunks } from '../pack/file-chunks.ts';
import { openSource } from '../pack/open-source.ts';

/** A tree to be packed. */
export interface TarSource {
  /** The file or directory that is packed. */
  readonly top: Entry;
  /** What lies below it, where it is a directory. */
  readonly names: readonly (readonly string[])[];
  /** Told of what below it cannot be read and is left out. */
  readonly bypass: Bypass;
  /** Called for each entry, with its name where it had to be left out. */
  onEntry(leftOut?: string): void;
}

/** The bytes of a plain tar archive; its only member at the top is called what the source is called. */
export async function* tarStream(context: Context, { top, names, bypass, onEntry }: TarSource): AsyncGenerator<Uint8Array> {
  const { files, signal } = context;
  const topName = basename(top.path);
  if (top.kind === 'file') {
    await using reader = await files.open(top.path);
    yield* file(reader, topName, top);
    onEntry();
  } else {
    yield tarHeader({ name: `${topName}/`, kind: 'dir', size: 0, mode: top.mode, mtimeMs: top.mtimeMs });
    const { root, byHandles } = await files.grant(top.path, 'read');
    for await (const each of gather(names, { root, byHandles, level: 0, signal })) {
      const name = [topName, ...each.segments].join('/');
      yield* member(context, { name, path: join(top.path, ...each.segments), bypass }, each);
      onEntry(each.found.kind === 'other' ? name : undefined);
    }
  }
  yield TAR_END;
}

interface Member {
  readonly name: string;
  readonly path: string;
  readonly bypass: Bypass;
}

async function* member({ files }: Context, { name, path, bypass }: Member, { found, content }: Collected): AsyncGenerator<Uint8Array> {
  if (found.kind === 'vanished') return bypass.vanished(1);
  if (found.kind === 'unreadable') return bypass.unreadable(path, unpackFault(found.fault));
  const { mode, mtimeMs } = found;
  switch (found.kind) {
    case 'file':
      yield tarHeader({ name, kind: 'file', size: found.size, mode, mtimeMs });
      yield content;
      yield padding(found.size);
      return;
    case 'large': {
      await using reader = await openSource(files, path, bypass);
      return reader === undefined ? undefined : yield* file(reader, name, found);
    }
    case 'dir':
      yield tarHeader({ name: `${name}/`, kind: 'dir', size: 0, mode, mtimeMs });
      return;
    case 'link':
      yield tarHeader({ name, kind: 'symlink', size: 0, mode, mtimeMs, linkTarget: found.target });
      return;
    case 'other':
      return;
  }
}

/** The header promises a length, so the file is packed as long as it was; one that shrinks is refused. */
async function* file(
  reader: Reader,
  name: string,
  { size, mode, mtimeMs }: Pick<Entry, 'size' | 'mode' | 'mtimeMs'>,
): AsyncGenerator<Uint8Array> {
  yield tarHeader({ name, kind: 'file', size, mode, mtimeMs });
  let left = size;
  for await (const chunk of fileChunks(reader, size)) {
    left -= chunk.byteLength;
    yield chunk;
  }
  const { path } = reader.entry;
  if (left > 0)
    throw new TarException(`${path} became shorter while it was packed; pack it again when nobody writes to it.`, { context: { path } });
  yield padding(size);
}

const padding = (size: number): Uint8Array => new Uint8Array(paddingOf(size));
