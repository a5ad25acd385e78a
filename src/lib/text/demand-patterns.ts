import { ArgumentException, ValidationException } from '../../core/errors.ts';
import { compileGlob } from './globs.ts';

/** Refuses an argument that is no pattern, before anything is searched. */
export const demandPatterns = (argument: string, ...patterns: readonly (string | null)[]): void => {
  for (const pattern of patterns) {
    if (pattern === null) continue;
    try {
      compileGlob(pattern);
    } catch (fault) {
      if (!(fault instanceof ValidationException)) throw fault;
      throw new ArgumentException(`The argument ${argument} is no pattern. ${fault.message}`, {
        context: { ...fault.context, argument },
        cause: fault,
      });
    }
  }
};
