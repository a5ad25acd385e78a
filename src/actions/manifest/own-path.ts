import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import type { FilePort, Grant } from '../../core/files.ts';

/** Where a manifest lies in the tree it is for, from its root and with `/`; null where it lies elsewhere. */
export const ownPath = async (files: FilePort, { root }: Grant, manifestPath: string): Promise<string | null> => {
  const folder = dirname(files.absolute(manifestPath));
  if ((await files.stat(folder))?.kind !== 'dir') return null;
  const { root: realFolder } = await files.grant(folder, 'read');
  const path = relative(root, join(realFolder, basename(manifestPath)));
  return isAbsolute(path) || path.split(sep)[0] === '..' ? null : path.replaceAll(sep, '/');
};
