import { CryptoException, FileNotExistsException } from '../../core/errors.ts';
import type { FilePort, Reader } from '../../core/files.ts';

/** Opens the file to work on; that it is missing is told in the words of this family. */
export const openSource = async (files: FilePort, source: string): Promise<Reader> => {
  try {
    return await files.open(source);
  } catch (fault) {
    if (!(fault instanceof FileNotExistsException)) throw fault;
    const shown = files.absolute(source);
    throw new CryptoException(`No file is at ${shown}; check the path.`, {
      context: { argument: 'source', path: shown },
      cause: fault,
    });
  }
};
