import { extname } from 'node:path';

/** Whether a name ends in the extension, which may be written with or without its dot. */
export const hasExtension = (name: string, extension: string, { anyCase = false }: { readonly anyCase?: boolean } = {}): boolean => {
  const own = extname(name);
  const wanted = extension.startsWith('.') ? extension : `.${extension}`;
  return anyCase ? own.toLowerCase() === wanted.toLowerCase() : own === wanted;
};
