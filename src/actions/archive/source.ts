import { ArchiveException } from '../../core/errors.ts';
import type { FilePort } from '../../core/files.ts';
import type { ByteSource } from '../../lib/archive/byte-source.ts';

/** An archive file open for reading. */
export interface ArchiveFile extends ByteSource, AsyncDisposable {}

/** A missing archive is an error of the family. */
export const demandArchive = async (files: FilePort, path: string): Promise<void> => {
  const entry = await files.stat(path);
  if (entry?.kind !== 'file')
    throw new ArchiveException(`No archive at ${files.absolute(path)}; check the path.`, { context: { path: files.absolute(path) } });
};

/** Opens an archive. */
export const openArchiveFile = async (files: FilePort, path: string): Promise<ArchiveFile> => {
  await demandArchive(files, path);
  const reader = await files.open(path);
  return {
    size: reader.entry.size,
    readAt: reader.readAt,
    stream: reader.stream,
    [Symbol.asyncDispose]: () => reader[Symbol.asyncDispose](),
  };
};
