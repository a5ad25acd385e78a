import { join } from 'node:path';
import type { Context } from '../../../core/context.ts';
import type { Bypass } from '../../../core/files.ts';
import { openSource } from './open-source.ts';

/** Tells a dry run which files are read and which archive appears; how large it gets only a real run knows. */
export const foreseePack = async (
  { files, signal }: Context,
  { sources, target, bypass }: { readonly sources: readonly string[]; readonly target: string; readonly bypass?: Bypass },
): Promise<void> => {
  for (const path of sources) {
    if ((await files.stat(path, { followLinks: false }))?.kind !== 'file') continue;
    await using _ = await (bypass === undefined ? files.open(path) : openSource(files, path, bypass));
  }
  await using writer = await files.create(target, { signal });
  await writer.commit();
};

/** Paths of entries below a directory. */
export const pathsOf = (directory: string, names: readonly (readonly string[])[]): string[] =>
  names.map((segments) => join(directory, ...segments));
