import { basename, sep } from 'node:path';
import type { Bypass, FilePort } from '../../../core/files.ts';

interface NamesOptions {
  /** The archive that is being written: an older one at its place is not packed into itself. */
  readonly except: string;
  /** Told of directories that cannot be read. */
  readonly bypass: Pick<Bypass, 'unreadable'>;
  readonly signal: AbortSignal;
}

/** Everything below a directory as lists of names, parents first, sorted; without the archive itself. */
export const namesBelow = async (files: FilePort, directory: string, { except, bypass, signal }: NamesOptions): Promise<string[][]> => {
  const archive = await files.stat(except);
  const isArchive = async (path: string): Promise<boolean> =>
    archive !== undefined &&
    basename(path) === archive.name &&
    (await files.stat(path, { followLinks: false }))?.identity === archive.identity;
  const names: string[][] = [];
  for await (const { path, relative } of files.walk(directory, { bypass, signal })) {
    if (await isArchive(path)) continue;
    names.push(relative.split(sep));
  }
  return names;
};
