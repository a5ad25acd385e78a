import { basename, extname } from 'node:path';

/** Whether a name ends in the extension, which may be written with or without its dot and have several parts: `tar.gz`. */
export const hasExtension = (name: string, extension: string, { anyCase = false }: { readonly anyCase?: boolean } = {}): boolean => {
  const wanted = extension.startsWith('.') ? extension : `.${extension}`;
  const own = wanted.indexOf('.', 1) < 0 ? extname(name) : basename(name).slice(1).slice(-wanted.length);
  return anyCase ? own.toLowerCase() === wanted.toLowerCase() : own === wanted;
};
