import {
  CancelledException,
  FileAutomationException,
  InternalException,
  JsonActionException,
  PolicyException,
  QuotaExceededException,
} from '../../core/errors.ts';

/** What is not about the file: who may do what, how much of it, and faults of ours. */
const NOT_OF_THE_FILE = [JsonActionException, PolicyException, QuotaExceededException, CancelledException, InternalException] as const;

/** Lets a list that cannot be read or written come out under the type of this family. */
export const asJsonActionFault = async <T>(path: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (fault) {
    if (!(fault instanceof FileAutomationException) || NOT_OF_THE_FILE.some((type) => fault instanceof type)) throw fault;
    throw new JsonActionException(`The list ${path} cannot be used: ${fault.message}`, {
      cause: fault,
      retryable: fault.retryable,
      context: { ...fault.context, path },
    });
  }
};
