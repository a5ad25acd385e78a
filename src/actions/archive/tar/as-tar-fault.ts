import { ArchiveException, TarException } from '../../../core/errors.ts';

/** Lets errors about the archive come out as errors of the tar actions. */
export const asTarFault = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (fault) {
    if (!(fault instanceof ArchiveException)) throw fault;
    throw new TarException(fault.message, { context: fault.context, cause: fault.cause });
  }
};
