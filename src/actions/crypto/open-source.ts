import { CryptoException, FileNotExistsException } from '../../core/errors.ts';
import type { FilePort, Reader } from '../../core/files.ts';

/** Opens the file to work on. */
export const openSource = (files: FilePort, source: string): Promise<Reader> => inOurWords(files, source, () => files.open(source));

/** That the file to work on is missing is told in the words of this family. */
export const inOurWords = async <T>(files: FilePort, source: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (fault) {
    if (!(fault instanceof FileNotExistsException)) throw fault;
    const shown = files.absolute(source);
    throw new CryptoException(`No file is at ${shown}; check the path.`, {
      context: { argument: 'source', path: shown },
      cause: fault,
    });
  }
};
