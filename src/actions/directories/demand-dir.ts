import { DirNotExistsException } from '../../core/errors.ts';
import type { Entry, FilePort } from '../../core/files.ts';

/** The entry of a directory that must be there. */
export const demandDir = async (files: FilePort, path: string, argument: string): Promise<Entry> => {
  const entry = await files.stat(path);
  if (entry?.kind === 'dir') return entry;
  const shown = files.absolute(path);
  throw new DirNotExistsException(
    `${entry === undefined ? 'No directory' : 'Something that is no directory'} is at ${shown}; check the path.`,
    { context: { argument, path: shown } },
  );
};
