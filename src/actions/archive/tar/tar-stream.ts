import { basename, join } from 'node:path';
import type { Context } from '../../../core/context.ts';
import { TarException } from '../../../core/errors.ts';
import type { Entry } from '../../../core/files.ts';
import { type Collected, gather } from '../../../lib/archive/gather/gather.ts';
import { paddingOf } from '../../../lib/archive/tar/read-tar.ts';
import { TAR_END, tarHeader } from '../../../lib/archive/tar/write-tar.ts';
import { fileChunks } from '../pack/file-chunks.ts';

/** A tree to be packed. */
export interface TarSource {
  /** The file or directory that is packed. */
  readonly top: Entry;
  /** What lies below it, where it is a directory. */
  readonly names: readonly (readonly string[])[];
  /** Called for each entry, with its name where it had to be left out. */
  onEntry(leftOut?: string): void;
}

/** The bytes of a plain tar archive; its only member at the top is called what the source is called. */
export async function* tarStream(context: Context, { top, names, onEntry }: TarSource): AsyncGenerator<Uint8Array> {
  const { files, signal } = context;
  const topName = basename(top.path);
  if (top.kind === 'file') {
    yield* file(context, topName, top.path, top);
    onEntry();
  } else {
    yield tarHeader({ name: `${topName}/`, kind: 'dir', size: 0, mode: top.mode, mtimeMs: top.mtimeMs });
    const { root, byHandles } = await files.grant(top.path, 'read');
    for await (const each of gather(names, { root, byHandles, level: 0, signal })) {
      const name = [topName, ...each.segments].join('/');
      yield* member(context, name, join(top.path, ...each.segments), each);
      onEntry(each.found.kind === 'other' ? name : undefined);
    }
  }
  yield TAR_END;
}

async function* member(context: Context, name: string, path: string, { found, content }: Collected): AsyncGenerator<Uint8Array> {
  const { mode, mtimeMs } = found;
  switch (found.kind) {
    case 'file':
      yield tarHeader({ name, kind: 'file', size: found.size, mode, mtimeMs });
      yield content;
      yield padding(found.size);
      return;
    case 'large':
      return yield* file(context, name, path, found);
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
  { files }: Context,
  name: string,
  path: string,
  { size, mode, mtimeMs }: Pick<Entry, 'size' | 'mode' | 'mtimeMs'>,
): AsyncGenerator<Uint8Array> {
  await using reader = await files.open(path);
  yield tarHeader({ name, kind: 'file', size, mode, mtimeMs });
  let left = size;
  for await (const chunk of fileChunks(reader, size)) {
    left -= chunk.byteLength;
    yield chunk;
  }
  if (left > 0)
    throw new TarException(`${path} became shorter while it was packed; pack it again when nobody writes to it.`, { context: { path } });
  yield padding(size);
}

const padding = (size: number): Uint8Array => new Uint8Array(paddingOf(size));
