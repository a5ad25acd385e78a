import { FileAccessException, FileNotExistsException } from '../../../core/errors.ts';
import type { Bypass, FilePort, Reader } from '../../../core/files.ts';

/** Opens a file to be packed; undefined, and told, where it cannot be read or is gone. */
export const openSource = async (files: FilePort, path: string, bypass: Bypass): Promise<Reader | undefined> => {
  try {
    return await files.open(path);
  } catch (fault) {
    if (fault instanceof FileNotExistsException) bypass.vanished(1);
    else if (fault instanceof FileAccessException) bypass.unreadable(path, fault);
    else throw fault;
    return undefined;
  }
};
