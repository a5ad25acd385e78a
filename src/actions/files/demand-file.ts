import { FileNotExistsException } from '../../core/errors.ts';
import type { Entry, FilePort } from '../../core/files.ts';

/** The entry of a file that must be there. */
export const demandFile = async (files: FilePort, path: string, argument = 'file_path'): Promise<Entry> => {
  const entry = await files.stat(path);
  if (entry?.kind === 'file') return entry;
  const found = entry === undefined ? 'No file' : entry.kind === 'dir' ? 'A directory, not a file,' : 'Something that is no regular file';
  const shown = files.absolute(path);
  throw new FileNotExistsException(`${found} is at ${shown}; check the path.`, { context: { argument, path: shown } });
};
